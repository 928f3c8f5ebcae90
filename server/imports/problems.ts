// Errors about slugs → sentences about columns of the file.
import type { ImportProblem } from '../../contract/imports.ts'
import type { AppError } from '../errors.ts'
import type { Column } from '../records/import/columns.ts'

type Columns = readonly Pick<Column, 'header' | 'attribute'>[]

const headerOf = (columns: Columns, slug: string): string | undefined =>
  columns.find(({ attribute }) => attribute.slug === slug)?.header

const PATH = /^data\.([a-z][a-z0-9_]*)/

function listed({ details }: AppError): { path: string; message: string }[] {
  const errors = details?.['errors']
  return Array.isArray(errors) ? errors : []
}

/** One for each thing that is wrong with a row. */
export function problemsOf(columns: Columns, error: AppError, line: number): ImportProblem[] {
  const problems = listed(error).map(({ path, message }) => ({
    line,
    column: headerOf(columns, PATH.exec(path)?.[1] ?? '') ?? null,
    message,
  }))
  if (problems.length > 0) return problems
  const slug = error.details?.['attributeSlug']
  const column = typeof slug === 'string' ? (headerOf(columns, slug) ?? null) : null
  return [{ line, column, message: inColumns(columns, error.message) }]
}

/** A message that begins its parts with `data.slug:` or `slug:`, with headers in their place. */
export function inColumns(columns: Columns, message: string): string {
  return message.replace(/(^|; )(?:data\.)?([a-z][a-z0-9_]*)(\[\d+\])?: /g, (whole, before, slug) => {
    const header = headerOf(columns, slug)
    return header === undefined ? whole : `${before}${header}: `
  })
}
