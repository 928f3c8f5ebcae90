// The records of a step, read from its output.
import type { RunStep } from '../api/workflow-runs.ts'

export interface RecordRef {
  objectId: string
  recordId: string
}

/** Further records are only counted. */
export const NAMED_RECORDS_MAX = 10

type Shape = Readonly<Record<string, unknown>>

const shape = (value: unknown): Shape => (typeof value === 'object' && value !== null ? (value as Shape) : {})

function refOf(value: unknown): RecordRef[] {
  const { id, objectId } = shape(value)
  return typeof id === 'string' && typeof objectId === 'string' ? [{ objectId, recordId: id }] : []
}

const linkOf = (value: unknown): RecordRef[] => {
  const { recordId, objectId } = shape(value)
  return typeof recordId === 'string' && typeof objectId === 'string' ? [{ objectId, recordId }] : []
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** In the order of the output; empty for deletions and truncated output. */
export function recordsOf({ type, output }: Pick<RunStep, 'type' | 'output'>): RecordRef[] {
  const { records, record, linkedRecords } = shape(output)
  if (type === 'find_records') return listOf(records).flatMap(refOf)
  if (type === 'get_record') return refOf(record)
  if (type === 'create_activity') return listOf(linkedRecords).flatMap(linkOf)
  return type === 'create_record' || type === 'update_record' || type === 'upsert_record' ? refOf(output) : []
}

/** The record of a run, from its {{trigger}}. */
export const subjectOf = (input: unknown): RecordRef[] => linkOf(input)

/** The beginning of a value that was too large to store. */
export function truncatedText(value: unknown): string | undefined {
  const { truncated, text } = shape(value)
  return truncated === true && typeof text === 'string' ? text : undefined
}
