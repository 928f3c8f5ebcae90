// Keyset cursors: where a page ended, sealed to the list it belongs to.
import { hash } from 'node:crypto'
import { isUuid } from '../../contract/common.ts'
import { invalid } from '../errors.ts'

export interface Position {
  /** Text of the sort key of the last row; null when it had no value. */
  key: string | null
  id: string
}

/** @param list what makes the list this one and no other: its filters and its order */
export const sealOf = (list: unknown): string =>
  hash('sha256', JSON.stringify(list), 'base64url').slice(0, 16)

export const encodeCursor = (seal: string, { key, id }: Position): string =>
  Buffer.from(JSON.stringify([seal, key, id])).toString('base64url')

function parseArray(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/**
 * @param isKey whether a key could come from this list: what it lets through reaches the database
 * @throws 400 invalid_parameter when it is not a cursor of this very list
 */
export function decodeCursor(
  cursor: string,
  seal: string,
  isKey: (key: unknown) => key is string | null,
): Position {
  const [given, key, id] = parseArray(Buffer.from(cursor, 'base64url').toString())
  if (given === seal && isKey(key) && isUuid(id)) return { key, id }
  const message =
    'is not a cursor of this list: use it with the same sort and filters as the request that returned it'
  throw invalid('invalid_parameter', [{ path: 'cursor', code: 'invalid_cursor', message }])
}

/** A cursor says where the page begins: an offset beside it would say it twice. @throws 400 invalid_parameter */
export function refuseOffsetWith(cursor: string | undefined, offset: number): void {
  if (cursor === undefined || offset === 0) return
  throw invalid('invalid_parameter', [
    { path: 'offset', code: 'offset_with_cursor', message: 'cannot be combined with cursor' },
  ])
}
