package dev.millrace.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * What holds in every module. A module's test says its order of packages and adds its own rules.
 */
public abstract class ArchitectureContract {
  private static final Path MAIN_CLASSES = Path.of("target", "classes");
  private static final Path GLOSSARY = Path.of("..", "docs", "names.md");

  private final Arrows arrows;

  /** The module's main classes, read from their class files; what JMH generates is not ours. */
  protected final JavaClasses mainClasses =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/jmh_generated/"))
          .importPath(MAIN_CLASSES);

  /** The order of packages is {@code arrows}. */
  protected ArchitectureContract(Arrows arrows) {
    this.arrows = arrows;
  }

  /** The packages whose job is to write to the console. */
  protected List<String> consolePackages() {
    return List.of();
  }

  @Test
  void importsPointAgainstTheOrderOfPackages() {
    assertThat(arrows.violations(mainClasses))
        .as(
            "an import that points the other way makes a cycle sooner or later: move the type to the"
                + " left, or let the right side implement an interface of the left one")
        .isEmpty();
  }

  @Test
  void everyPackageIsNullMarked() {
    List<String> unmarked =
        mainClasses.stream()
            .filter(type -> !type.getPackageName().isEmpty())
            .filter(type -> !type.getPackage().isAnnotatedWith(NullMarked.class))
            .map(JavaClass::getPackageName)
            .distinct()
            .toList();
    assertThat(unmarked)
        .as(
            "NullAway looks only at marked packages: give the package a package-info.java with"
                + " @NullMarked and one sentence")
        .isEmpty();
  }

  @Test
  void everyPackageIsInTheGlossary() throws IOException {
    String glossary = Files.readString(GLOSSARY);
    List<String> missing =
        mainClasses.stream()
            .map(JavaClass::getPackageName)
            .distinct()
            .filter(name -> !name.isEmpty() && !glossary.contains("`" + name + "`"))
            .toList();
    assertThat(missing).as("docs/names.md has one line for each package: add it").isEmpty();
  }

  @Test
  void onlyTheCommandLineWritesToTheConsole() {
    check(
        noClasses()
            .that(DescribedPredicate.not(inAnyOf(consolePackages())))
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
            .because(
                "standard output belongs to the application: log through System.Logger, named"
                    + " after the package"));
  }

  /** Tests {@code rule} on the main classes; a rule about classes that are not there yet passes. */
  protected final void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(mainClasses);
  }

  /** A rule that {@code owner} alone, of this module, may use {@code used}; both are packages. */
  protected static ArchRule onlyPackage(String owner, String used, String because) {
    return noClasses()
        .that(DescribedPredicate.not(resideInAPackage(owner)))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(used)
        .because(because);
  }

  /** A rule that nothing in this module links to native code. */
  protected static ArchRule noNativeCalls() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.Linker")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.foreign.SymbolLookup")
        .because("dev.millrace.gpu is the only module that calls native code");
  }

  private static DescribedPredicate<JavaClass> inAnyOf(List<String> names) {
    return JavaClass.Predicates.resideInAnyPackage(names.toArray(String[]::new));
  }
}
