// A page of one file: a template, put together when the tool is built (Page.cmake), and what a run fills in.
#pragma once

#include "Report/Json.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus::report {

/// Text of HTML.
std::string escaped(const std::string &text);

/// Items of a list, one a sentence.
std::string itemsOf(const std::vector<std::string> &sentences);

/// JSON as the page's unpack() reads it: compressed by zlib, in base64.
std::string packed(const std::string &json);
/// Without spaces. Bytes that are no UTF-8 are replaced.
std::string packed(const Json &json);

/// The template with what stands in place of its marks "@@NAME@@", of which it has no others.
std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>> &marks);

} // namespace daedalus::report
