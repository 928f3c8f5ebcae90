// Keyset cursors: the position where a page ended, bound to its list by a hash.
import { hash } from 'node:crypto'
import { isUuid } from '../../contract/common.ts'
import { invalid } from '../base/errors.ts'

export interface CursorPosition {
  /** The sort key of the last row as text; null if the row has no value. */
  key: string | null
  id: string
}

/** Checks positions of a list before they reach the database. */
export interface PositionForm {
  isKey: (key: unknown) => key is string | null
  /** Default: a UUID. */
  isId?: (id: unknown) => id is string
}

/** @param list what identifies the list: its filters and its order */
export const sealOf = (list: unknown): string =>
  hash('sha256', JSON.stringify(list), 'base64url').slice(0, 16)

export const encodeCursor = (seal: string, { key, id }: CursorPosition): string =>
  Buffer.from(JSON.stringify([seal, key, id])).toString('base64url')

function parseArray(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** @throws 400 invalid_parameter if it is not a cursor of this list */
export function decodeCursor(
  cursor: string,
  seal: string,
  { isKey, isId = isUuid }: PositionForm,
): CursorPosition {
  const [given, key, id] = parseArray(Buffer.from(cursor, 'base64url').toString())
  if (given === seal && isKey(key) && isId(id)) return { key, id }
  const message =
    'is not a cursor of this list: use it with the same sort and filters as the request that returned it'
  throw invalid('invalid_parameter', [{ path: 'cursor', code: 'invalid_cursor', message }])
}
