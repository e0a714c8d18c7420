#include "CMoonCurl.h"

#include <netinet/in.h>
#include <string.h>

CURLcode mcurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode mcurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode mcurl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl_easy_setopt(easy, option, text);
}

CURLcode mcurl_set_pointer(CURL *easy, CURLoption option, void *pointer) {
  return curl_easy_setopt(easy, option, pointer);
}

CURLcode mcurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(easy, option, list);
}

CURLcode mcurl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

CURLcode mcurl_set_callbacks(CURL *easy, const mcurl_callbacks *callbacks, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks->head);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks->body);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks->open_socket);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if (code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks->before_request);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
  return code;
}

long mcurl_number(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

curl_socket_t mcurl_socket(CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket
                                                                             : CURL_SOCKET_BAD;
}

void *mcurl_private(CURL *easy) {
  char *pointer = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK ? pointer : NULL;
}

const struct sockaddr *mcurl_address(const struct curl_sockaddr *info) { return &info->addr; }

void mcurl_set_scope(struct curl_sockaddr *info, unsigned int scope) {
  // The structure is longer than its declaration, as the system's addresses are.
  struct sockaddr_in6 address;
  if (info->family != AF_INET6 || info->addrlen < sizeof address) return;
  memcpy(&address, &info->addr, sizeof address);
  address.sin6_scope_id = scope;
  memcpy(&info->addr, &address, sizeof address);
}

CURLMcode mcurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLMcode mcurl_multi_set_callbacks(CURLM *multi, curl_socket_callback socket,
                                    curl_multi_timer_callback timer, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code;
}

CURL *mcurl_ended(const CURLMsg *message, CURLcode *code) {
  if (message->msg != CURLMSG_DONE) return NULL;
  *code = message->data.result;
  return message->easy_handle;
}
