/** Made when it is first asked for: a formatter takes a millisecond, several on a phone, before anything is drawn. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
