// Describes the problem of a cell for people. The API's messages are for programs: they describe what to send.
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { Problem } from '../../contract/errors.ts'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import type { Column } from '../records/import/columns.ts'

const SHOWN_CHARACTERS = 60

function quoted(cell: string): string {
  const text = cell.trim().replaceAll('\0', '')
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  return `"${shown.toWellFormed()}"`
}

/** Codes without an entry in `KINDS`: their messages are made elsewhere. */
type OtherCode = 'invalid_checkbox' | 'invalid_list' | 'invalid_name' | 'invalid_reference' | 'invalid_text'
type CodeOfType = Exclude<Extract<ProblemCode, `invalid_${AttributeType}`>, OtherCode>

/** What the cell should be, by the code of its problem. */
const KINDS: Readonly<Record<string, string>> = {
  invalid_address: 'an address',
  invalid_currency: 'an amount of money',
  invalid_date: 'a date',
  invalid_domain: 'a website',
  invalid_email: 'an email address',
  invalid_number: 'a number',
  invalid_phone_number: 'a phone number',
  invalid_url: 'a web address',
} satisfies Record<CodeOfType, string>

const PART_KINDS: Readonly<Record<string, string>> = {
  amount: 'an amount of money',
  country: 'a country',
  currency: 'the code of a currency, such as USD',
}

const OPTIONS = /^must be one of the options/

/** The end of a message about a missing record. The page shows the choice next to the message. */
export const CREATE_FIRST = ': create it first, or correct the name'

interface Wording {
  /** The column with the problem; undefined where no column fills the attribute. */
  column: Pick<Column, 'header' | 'attribute' | 'part'> | undefined
  cell: string
  /** The attribute that rows are matched on. */
  matchedSlug: string | undefined
}

function emptyText({ column, matchedSlug }: Wording): string {
  if (!column) return 'A value that every record must have is missing, and no column fills it'
  return column.attribute.slug === matchedSlug
    ? `${column.header} is empty, so this row cannot be matched`
    : `${column.header} is empty, and every record must have it`
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The API puts the path of the value before such a message; here the name of the column takes its place. */
const spoken = (message: string, header: string | undefined): string =>
  header !== undefined && /^(?:must|is|has) /.test(message) ? `${header} ${message}` : capitalized(message)

export function importWords({ path, code, message }: Problem, wording: Wording): string {
  const { column, cell } = wording
  const kind = (column?.part !== undefined && PART_KINDS[column.part]) || KINDS[code]
  if (code === 'required') return emptyText(wording)
  if (code === 'not_found' && path === 'id') return 'No record has the ID of this row'
  if (code === 'unique_violation' && !message.startsWith('line '))
    return 'Another record has this value already'
  if (code === 'unknown_option') return message.replace(OPTIONS, `${quoted(cell)} is not one of the options`)
  if (code === 'invalid_checkbox') return `${quoted(cell)} is neither yes nor no`
  if (column?.attribute.type === 'member' && code === 'invalid_reference')
    return `${quoted(cell)} is not a member: write the email address of one`
  if (column?.attribute.type === 'reference' && message.startsWith('must be the id'))
    return `No record has the ID ${quoted(cell)}`
  if (message.endsWith(CREATE_FIRST)) return capitalized(message.slice(0, -CREATE_FIRST.length))
  const isCellOfKind = kind !== undefined && column?.attribute.isList !== true && code.startsWith('invalid_')
  return isCellOfKind ? `${quoted(cell)} is not ${kind}` : spoken(message, column?.header)
}
