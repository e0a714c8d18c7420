// The guides, as they are when the program is built.

#include "CMoonGuides.h"

// From C23, which this compiler has.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char ActionsAndState[] = {
#embed "../Moonwire/Moonwire.docc/Guides/ActionsAndState.md"
};
static const unsigned char Assistants[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Assistants.md"
};
static const unsigned char BuiltInModules[] = {
#embed "../Moonwire/Moonwire.docc/Guides/BuiltInModules.md"
};
static const unsigned char ComingFromVISPER[] = {
#embed "../Moonwire/Moonwire.docc/Guides/ComingFromVISPER.md"
};
static const unsigned char Containment[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Containment.md"
};
static const unsigned char DurableEffects[] = {
#embed "../Moonwire/Moonwire.docc/Guides/DurableEffects.md"
};
static const unsigned char Editors[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Editors.md"
};
static const unsigned char Effects[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Effects.md"
};
static const unsigned char Embedding[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Embedding.md"
};
static const unsigned char FeaturesInSwift[] = {
#embed "../Moonwire/Moonwire.docc/Guides/FeaturesInSwift.md"
};
static const unsigned char HTTP[] = {
#embed "../Moonwire/Moonwire.docc/Guides/HTTP.md"
};
static const unsigned char InAServer[] = {
#embed "../Moonwire/Moonwire.docc/Guides/InAServer.md"
};
static const unsigned char Installing[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Installing.md"
};
static const unsigned char Journals[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Journals.md"
};
static const unsigned char Measuring[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Measuring.md"
};
static const unsigned char ModulesOfOthers[] = {
#embed "../Moonwire/Moonwire.docc/Guides/ModulesOfOthers.md"
};
static const unsigned char Navigation[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Navigation.md"
};
static const unsigned char NewApps[] = {
#embed "../Moonwire/Moonwire.docc/Guides/NewApps.md"
};
static const unsigned char Protocol[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Protocol.md"
};
static const unsigned char Recipes[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Recipes.md"
};
static const unsigned char Reloading[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Reloading.md"
};
static const unsigned char RoutesAndScreens[] = {
#embed "../Moonwire/Moonwire.docc/Guides/RoutesAndScreens.md"
};
static const unsigned char RunningAsAService[] = {
#embed "../Moonwire/Moonwire.docc/Guides/RunningAsAService.md"
};
static const unsigned char Services[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Services.md"
};
static const unsigned char Stage[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Stage.md"
};
static const unsigned char Storage[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Storage.md"
};
static const unsigned char TestingModules[] = {
#embed "../Moonwire/Moonwire.docc/Guides/TestingModules.md"
};
static const unsigned char TheCommand[] = {
#embed "../Moonwire/Moonwire.docc/Guides/TheCommand.md"
};
static const unsigned char ThePrompt[] = {
#embed "../Moonwire/Moonwire.docc/Guides/ThePrompt.md"
};
static const unsigned char TimeTravel[] = {
#embed "../Moonwire/Moonwire.docc/Guides/TimeTravel.md"
};
static const unsigned char Types[] = {
#embed "../Moonwire/Moonwire.docc/Guides/Types.md"
};
static const unsigned char WritingModules[] = {
#embed "../Moonwire/Moonwire.docc/Guides/WritingModules.md"
};
static const unsigned char Elements[] = {
#embed "../Moonwire/Moonwire.docc/Reference/Elements.md"
};
static const unsigned char ExitCodes[] = {
#embed "../Moonwire/Moonwire.docc/Reference/ExitCodes.md"
};
static const unsigned char Limits[] = {
#embed "../Moonwire/Moonwire.docc/Reference/Limits.md"
};
static const unsigned char ModuleKeys[] = {
#embed "../Moonwire/Moonwire.docc/Reference/ModuleKeys.md"
};
static const unsigned char MoonLibrary[] = {
#embed "../Moonwire/Moonwire.docc/Reference/MoonLibrary.md"
};
static const unsigned char Problems[] = {
#embed "../Moonwire/Moonwire.docc/Reference/Problems.md"
};
static const unsigned char ServiceFunctions[] = {
#embed "../Moonwire/Moonwire.docc/Reference/ServiceFunctions.md"
};

#define GUIDE(name) \
  { #name, name, sizeof name }

// One a line.
// clang-format off
static const mguide all[] = {
    GUIDE(ActionsAndState),
    GUIDE(Assistants),
    GUIDE(BuiltInModules),
    GUIDE(ComingFromVISPER),
    GUIDE(Containment),
    GUIDE(DurableEffects),
    GUIDE(Editors),
    GUIDE(Effects),
    GUIDE(Embedding),
    GUIDE(FeaturesInSwift),
    GUIDE(HTTP),
    GUIDE(InAServer),
    GUIDE(Installing),
    GUIDE(Journals),
    GUIDE(Measuring),
    GUIDE(ModulesOfOthers),
    GUIDE(Navigation),
    GUIDE(NewApps),
    GUIDE(Protocol),
    GUIDE(Recipes),
    GUIDE(Reloading),
    GUIDE(RoutesAndScreens),
    GUIDE(RunningAsAService),
    GUIDE(Services),
    GUIDE(Stage),
    GUIDE(Storage),
    GUIDE(TestingModules),
    GUIDE(TheCommand),
    GUIDE(ThePrompt),
    GUIDE(TimeTravel),
    GUIDE(Types),
    GUIDE(WritingModules),
    GUIDE(Elements),
    GUIDE(ExitCodes),
    GUIDE(Limits),
    GUIDE(ModuleKeys),
    GUIDE(MoonLibrary),
    GUIDE(Problems),
    GUIDE(ServiceFunctions),
};
// clang-format on

const mguide *mguides(size_t *count) {
  *count = sizeof all / sizeof *all;
  return all;
}
