#include "CppTokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace millrace::rtc {

namespace {

bool wordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool rawPrefix(std::string_view word) {
  return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
}

} // namespace

bool CppTokens::isWord() const {
  return !token.empty() && wordCharacter(token[0]) && !std::isdigit(token[0]);
}

void CppTokens::next() {
  skipBlanks();
  std::size_t start = at;
  if (at == text.size()) {
    token = {};
    return;
  }
  if (wordCharacter(text[at])) {
    at = endOfWord(at);
    bool raw = at < text.size() && text[at] == '"' && rawPrefix(text.substr(start, at - start));
    if (raw) at = endOfRawString(at);
  } else if (text[at] == '"' || text[at] == '\'') {
    at = endOfQuoted(at);
  } else if (text.substr(at, 2) == "::") {
    at += 2;
  } else {
    ++at;
  }
  token = text.substr(start, at - start);
}

void CppTokens::skipBrackets() {
  int depth = 0;
  do {
    if (is("(") || is("[") || is("{")) ++depth;
    if (is(")") || is("]") || is("}")) --depth;
    next();
  } while (depth > 0 && !atEnd());
}

void CppTokens::skipBlanks() {
  while (at < text.size()) {
    bool lineStart = at == 0 || text[at - 1] == '\n';
    if (std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    else if (text[at] == '#' && lineStart) skipLine();
    else return;
  }
}

void CppTokens::skipLine() { at = std::min(text.find('\n', at), text.size()); }

// A number may hold quotes as separators: 1'000 is one token.
std::size_t CppTokens::endOfWord(std::size_t from) const {
  bool number = std::isdigit(static_cast<unsigned char>(text[from]));
  std::size_t end = from;
  while (end < text.size() &&
         (wordCharacter(text[end]) ||
          (number && text[end] == '\'' && end + 1 < text.size() && wordCharacter(text[end + 1]))))
    ++end;
  return end;
}

std::size_t CppTokens::endOfQuoted(std::size_t from) const {
  for (std::size_t end = from + 1; end < text.size(); ++end) {
    if (text[end] == '\\') ++end;
    else if (text[end] == text[from]) return end + 1;
  }
  return text.size();
}

std::size_t CppTokens::endOfRawString(std::size_t quote) const {
  std::size_t bracket = text.find('(', quote);
  if (bracket == text.npos) return text.size();
  std::string closing = ")" + std::string(text.substr(quote + 1, bracket - quote - 1)) + "\"";
  std::size_t end = text.find(closing, bracket);
  return end == text.npos ? text.size() : end + closing.size();
}

} // namespace millrace::rtc
