#pragma once

#include <string_view>

namespace millrace::rtc {

/** Words, punctuation and literals of preprocessed C++ text; line markers are passed over. */
class CppTokens {
public:
  explicit CppTokens(std::string_view text) : text(text) { next(); }

  bool atEnd() const { return token.empty(); }

  /** The current token; a literal is given whole, with its quotes. */
  std::string_view current() const { return token; }

  bool is(std::string_view expected) const { return token == expected; }
  bool isWord() const;

  void next();

  /** From an opening bracket to the token behind the closing one that belongs to it. */
  void skipBrackets();

private:
  std::string_view text;
  std::size_t at = 0;
  std::string_view token;

  void skipBlanks();
  void skipLine();
  std::size_t endOfWord(std::size_t from) const;
  std::size_t endOfQuoted(std::size_t from) const;
  std::size_t endOfRawString(std::size_t quote) const;
};

} // namespace millrace::rtc
