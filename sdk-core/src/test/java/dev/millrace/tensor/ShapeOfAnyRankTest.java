package dev.millrace.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ShapeOfAnyRankTest {
  private static final Shape ANY = Shape.ofAnyRank();

  @Test
  void acceptsEveryShapeAndIsAcceptedByNoneOfAKnownRank() {
    assertThat(ANY.accepts(Shape.of())).isTrue();
    assertThat(ANY.accepts(Shape.of(2, -1))).isTrue();
    assertThat(ANY.accepts(ANY)).isTrue();
    assertThat(Shape.of().accepts(ANY)).isFalse();
    assertThat(Shape.of(-1).accepts(ANY)).isFalse();
  }

  @Test
  void isNotAScalar() {
    assertThat(ANY).isNotEqualTo(Shape.of()).isEqualTo(Shape.ofAnyRank()).hasToString("[...]");
    assertThat(ANY.isRanked()).isFalse();
    assertThat(Shape.of().isRanked()).isTrue();
    assertThat(ANY.isStatic()).isFalse();
  }

  @Test
  void refusesToCountWhatIsOpen() {
    assertThatIllegalStateException().isThrownBy(ANY::rank).withMessageContaining("[...]");
    assertThatIllegalStateException().isThrownBy(ANY::toArray);
    assertThatIllegalStateException().isThrownBy(ANY::elements);
  }
}
