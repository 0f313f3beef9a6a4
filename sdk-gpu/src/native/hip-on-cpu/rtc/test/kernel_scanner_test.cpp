#include "KernelScanner.h"
#include "check.h"

namespace {

using millrace::rtc::findKernels;
using millrace::rtc::FoundKernel;

std::string found(std::string_view content) {
  std::string result;
  for (const FoundKernel& kernel : findKernels(content))
    result += kernel.name + "=" + kernel.qualified + " ";
  return result;
}

} // namespace

TEST(findsKernelsOfCLinkageInBothForms) {
  CHECK(found("extern \"C\" __millrace_kernel__ void a(int x) {}\n"
              "extern \"C\" { __millrace_kernel__ void b() {} int c() {} }") == "a=::a b=::b ");
}

TEST(passesOverKernelsThatHaveNoPlainName) {
  CHECK(found("__millrace_kernel__ void mangled(int x) {}\n"
              "template <class T> __millrace_kernel__ void generic(T x) {}") == "");
}

TEST(linkageEndsWithItsDeclaration) {
  CHECK(found("extern \"C\" int x;\n__millrace_kernel__ void a() {}") == "");
  CHECK(found("extern \"C\" void f() {}\n__millrace_kernel__ void a() {}") == "");
  CHECK(found("extern \"C\" { }\n__millrace_kernel__ void a() {}") == "");
}

TEST(aDeclarationGivesItsLinkageToTheDefinition) {
  CHECK(found("extern \"C\" __millrace_kernel__ void a(int);") == "");
  CHECK(found("extern \"C\" __millrace_kernel__ void a(int);\n"
              "__millrace_kernel__ void a(int x) {}") == "a=::a ");
}

TEST(readsParameterListsOfAnyShape) {
  CHECK(found("extern \"C\" __millrace_kernel__ void\n a\n(const map<int, pair<float*, 3>>* __restrict__ x,\n"
              "  void (*f)(int, char), int n = (1 + 2),\n unsigned y [[maybe_unused]])\n{ }") == "a=::a ");
}

TEST(attributesMayStandAnywhereBeforeTheName) {
  CHECK(found("extern \"C\" __millrace_kernel__ __attribute__((flat(1, 2))) void "
              "__attribute__((noinline)) a(int x) {}") == "a=::a ");
  CHECK(found("extern \"C\" [[gnu::cold]] __millrace_kernel__ void a() {}") == "a=::a ");
}

TEST(namespacesAreInTheQualifiedName) {
  CHECK(found("namespace x::y { inline namespace { extern \"C\" __millrace_kernel__ void a() {} } }\n"
              "namespace z = x;\n"
              "extern \"C\" __millrace_kernel__ void b() {}") == "a=::x::y::a b=::b ");
}

TEST(wordsInLiteralsAreNoKernels) {
  CHECK(found("const char* s = \"extern \\\"C\\\" __millrace_kernel__ void a() {}\";\n"
              "const char* r = R\"x(\n extern \"C\" __millrace_kernel__ void b() {} )\" )x\";\n"
              "int n = 1'000'000; char q = '\"'; char b = '{';\n"
              "extern \"C\" __millrace_kernel__ void c() {}") == "c=::c ");
}

TEST(lineMarkersAndBodiesArePassedOver) {
  CHECK(found("# 1 \"a{b.hip\" 1\nextern \"C\" __millrace_kernel__ void a() { if (x) { f(\"}\"); } }\n"
              "#pragma unroll {\nstruct S { int x[3] = {1, 2}; };\n"
              "extern \"C\" __millrace_kernel__ void b() {}\n") == "a=::a b=::b ");
}

TEST(brokenTextEndsTheSearchWithoutAnAnswer) {
  for (const char* content : {"", "extern", "extern \"C\"", "extern \"C\" __millrace_kernel__",
                           "extern \"C\" __millrace_kernel__ void a(", "namespace", "}}}", "\"open", "R\"x(",
                           "extern \"C\" { __millrace_kernel__ void a(int x", "'"})
    CHECK(found(content) == "");
}
