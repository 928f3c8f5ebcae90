// JSON with its lines broken. It works on the text: a number keeps every digit, a key its place.
const INDENT = '  '

/** A string, a mark, or a run of anything else. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g

const isOpening = (token: string) => token === '{' || token === '['
const isClosing = (token: string) => token === '}' || token === ']'

function written(tokens: readonly string[]): string {
  let depth = 0
  let text = ''
  const newLine = () => `\n${INDENT.repeat(depth)}`
  tokens.forEach((token, index) => {
    const before = tokens[index - 1] ?? ''
    if (isClosing(token)) {
      depth -= 1
      text += isOpening(before) ? token : `${newLine()}${token}`
    } else {
      const isFirst = isOpening(before)
      text += isFirst || before === ',' ? `${newLine()}${token}` : token
      if (token === ':') text += ' '
      if (isOpening(token)) depth += 1
    }
  })
  return text
}

/** undefined: the text is no JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  return written(text.match(TOKENS) ?? [])
}
