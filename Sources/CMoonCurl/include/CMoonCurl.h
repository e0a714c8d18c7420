// libcurl for Swift: its variadic calls, one function for each type of argument. Also the system's
// functions to wait for sockets, which aren't in Swift's module for the C library.

#ifndef CMOONCURL_H
#define CMOONCURL_H

#include <curl/curl.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Options of a transfer. The texts are copied; what a pointer leads to isn't.
CURLcode mcurl_set_number(CURL *easy, CURLoption option, long value);
CURLcode mcurl_set_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode mcurl_set_text(CURL *easy, CURLoption option, const char *text);
CURLcode mcurl_set_pointer(CURL *easy, CURLoption option, void *pointer);
CURLcode mcurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);
// Copies the bytes.
CURLcode mcurl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count);

// What libcurl calls back; all get `context`.
typedef struct mcurl_callbacks {
  curl_write_callback head;
  curl_write_callback body;
  curl_opensocket_callback open_socket;
  curl_prereq_callback before_request;
} mcurl_callbacks;
CURLcode mcurl_set_callbacks(CURL *easy, const mcurl_callbacks *callbacks, void *context);

// Facts about a transfer; 0 or NULL if there are none.
long mcurl_number(CURL *easy, CURLINFO info);
curl_socket_t mcurl_socket(CURL *easy);
void *mcurl_private(CURL *easy);

// The address that a socket is opened for, and the scope of an IPv6 address (RFC 4007).
const struct sockaddr *mcurl_address(const struct curl_sockaddr *info);
void mcurl_set_scope(struct curl_sockaddr *info, unsigned int scope);

CURLMcode mcurl_multi_set_number(CURLM *multi, CURLMoption option, long value);
CURLMcode mcurl_multi_set_callbacks(CURLM *multi, curl_socket_callback socket,
                                    curl_multi_timer_callback timer, void *context);

// The transfer of a message, and what it has ended with.
CURL *mcurl_ended(const CURLMsg *message, CURLcode *code);

#endif
