// The records that were opened last on this device.
const KEPT = 6
const RECORD = /^\/o\/([^/]+)\/objects\/([^/]+)\/([0-9a-f-]{36})$/i

export interface OpenedRecord {
  /** Slug or id, as in the address. */
  object: string
  recordId: string
}

const keyOf = (org: string) => `rapport-opened:${org}`

const isOpened = (value: unknown): value is OpenedRecord =>
  typeof value === 'object' && value !== null && 'object' in value && 'recordId' in value

/** Latest first. */
export function openedRecords(org: string): OpenedRecord[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(org)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isOpened) : []
  } catch {
    // Storage is off or has invalid content: no records are remembered.
    return []
  }
}

/** Remembers the record if the address is that of a record. @param path of an address, without search */
export function rememberOpened(path: string): void {
  const [, org, object, recordId] = (RECORD.exec(path) ?? []).map((part) => decodeURIComponent(part))
  if (org === undefined || object === undefined || recordId === undefined) return
  const others = openedRecords(org).filter((one) => one.recordId !== recordId)
  try {
    localStorage.setItem(keyOf(org), JSON.stringify([{ object, recordId }, ...others].slice(0, KEPT)))
  } catch {
    // Storage is off or full: the record is not remembered.
  }
}
