/// The arguments of a call, which are added one after another.
package struct ArgumentList {
  private let machine: Machine

  init(of machine: Machine) { self.machine = machine }

  package func append(_ argument: Argument) { machine.write(argument) }
}
