// Formats JSON with line breaks. Works on the text, so that numbers keep all digits and keys keep their order.
const INDENT = '  '

/** A string, a punctuation mark, or a sequence of other characters. */
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

/** undefined: the text is not JSON. */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  return written(text.match(TOKENS) ?? [])
}
