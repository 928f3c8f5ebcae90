// Checks the name and value of a header before the request. Reserved names are checked by the service.
interface Header {
  name: string
  value: string
}

// RFC 9110 5.6.2: a token.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e]*$/

function nameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name'
  return NAME.test(name) ? undefined : 'Letters, digits and hyphens only'
}

/** Problems by field of the row. @param others the names of the other rows */
export function headerProblems(
  { name, value }: Header,
  others: readonly string[],
): { name?: string | undefined; value?: string | undefined } {
  const isTwice = others.some((other) => other.trim().toLowerCase() === name.trim().toLowerCase())
  return {
    name: nameProblem(name.trim()) ?? (isTwice ? 'A header with this name already exists' : undefined),
    value: VALUE.test(value) ? undefined : 'Letters without accents, digits and signs only',
  }
}
