#include "KernelScanner.h"

#include "CppTokens.h"

#include <set>

namespace millrace::rtc {

namespace {

/** What an open brace belongs to. */
struct Scope {
  std::string name;
  bool linkageC;
};

class Scanner {
public:
  explicit Scanner(std::string_view text) : tokens(text) {}

  std::vector<FoundKernel> scan() {
    while (!tokens.atEnd()) step();
    return found;
  }

private:
  CppTokens tokens;
  std::vector<Scope> scopes;
  bool declarationC = false; // an extern "C" without braces, up to the end of its declaration
  std::set<std::string> declaredC;
  std::vector<FoundKernel> found;

  void step() {
    if (tokens.is("extern")) linkage();
    else if (tokens.is("namespace")) openNamespace();
    else if (tokens.is(kernelMarker)) kernel();
    else if (tokens.is("{")) body();
    else if (tokens.is("}")) close();
    else if (tokens.is("(") || tokens.is("[")) tokens.skipBrackets();
    else {
      if (tokens.is(";")) declarationC = false;
      tokens.next();
    }
  }

  void linkage() {
    tokens.next();
    if (!tokens.is("\"C\"")) return;
    tokens.next();
    if (tokens.is("{")) open({"", true});
    else declarationC = true;
  }

  // Also "namespace a::b {"; an alias has no brace and opens nothing.
  void openNamespace() {
    std::string name;
    for (tokens.next(); tokens.isWord() || tokens.is("::"); tokens.next())
      if (!tokens.is("inline")) name += tokens.current();
    if (tokens.is("{")) open({name, linkageC()});
  }

  void open(Scope scope) {
    scopes.push_back(std::move(scope));
    tokens.next();
  }

  void close() {
    if (!scopes.empty()) scopes.pop_back();
    declarationC = false;
    tokens.next();
  }

  // Of a function, a class or a variable: no kernel of a plain name is in there.
  void body() {
    tokens.skipBrackets();
    declarationC = false;
  }

  void kernel() {
    std::string name = functionName();
    if (name.empty()) return;
    tokens.skipBrackets();
    if (linkageC()) declaredC.insert(qualified(name));
    while (!tokens.atEnd() && !tokens.is("{") && !tokens.is(";")) tokens.next();
    if (tokens.is("{") && declaredC.contains(qualified(name)))
      found.push_back({name, qualified(name)});
  }

  // The last word before the parameter list. Attributes may stand anywhere before it.
  std::string functionName() {
    std::string word;
    for (tokens.next(); !tokens.atEnd() && !tokens.is(";") && !tokens.is("{");) {
      if (tokens.is("(") && !word.empty() && !isAttribute(word)) return word;
      word = tokens.isWord() ? tokens.current() : "";
      if (tokens.is("(") || tokens.is("[")) tokens.skipBrackets();
      else tokens.next();
    }
    return "";
  }

  static bool isAttribute(const std::string& word) {
    return word == "__attribute__" || word == "__attribute" || word == "alignas" ||
           word == "__declspec";
  }

  bool linkageC() const { return declarationC || (!scopes.empty() && scopes.back().linkageC); }

  std::string qualified(const std::string& name) const {
    std::string result = "::";
    for (const Scope& scope : scopes)
      if (!scope.name.empty()) result += scope.name + "::";
    return result + name;
  }
};

} // namespace

std::vector<FoundKernel> findKernels(std::string_view preprocessed) {
  return Scanner(preprocessed).scan();
}

} // namespace millrace::rtc
