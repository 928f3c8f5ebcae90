// Cells of files that hold JSON.
import { parseJson } from '../../base/json.ts'

export function jsonOr(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

export const objectOrText = (text: string) => (text.trimStart().startsWith('{') ? jsonOr(text) : text)
