import { Link } from 'lucide-react'
import { LinkCell } from '../shared/table/link-cell.tsx'
import type { TypeDefinition } from './type-definition.ts'

/** Removes the scheme and "www.", which people do not need. */
const shortened = (address: string) => address.replace(/^https?:\/\/(?:www\.)?/, '')

export const url: TypeDefinition = {
  icon: Link,
  label: 'URL',
  explanation: 'The address of a page, such as https://example.com',
  columnWidth: 200,
  format: (value) => shortened(String(value)),
  formatPlain: String,
  view: ({ value, text }) => (
    <a className="underlined" href={String(value)} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  ),
  cell: ({ value, text }) => (
    <LinkCell href={String(value)} text={text} copied={String(value)} target="_blank" />
  ),
  hasCopyButton: true,
  firstOperator: 'contains',
}
