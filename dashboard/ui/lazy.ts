/**
 * Creates a value on first use. A formatter takes a millisecond to create, several on a phone, which would delay the
 * first render.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
