// Email addresses and phone numbers, shown as links.
import { LinkCell } from '../shared/table/link-cell.tsx'
import type { TypeDefinition } from './type-definition.ts'

/** The extension of a phone number, which tel links write as `;ext=` (RFC 3966). */
const EXTENSION = /(?<=\d)[\s,]*(?:ext(?:ension)?\.?|x|#)[\s:.]*(\d+)\s*$/i

/** @param scheme of the link */
export const contact = (scheme: 'mailto' | 'tel') => {
  const hrefOf = (text: string) => {
    const address = scheme === 'tel' ? text.replace(EXTENSION, ';ext=$1') : text
    return `${scheme}:${address.replace(/\s/g, '')}`
  }
  return {
    view: ({ text }) => (
      <a className="underlined" href={hrefOf(text)}>
        {text}
      </a>
    ),
    cell: ({ text }) => <LinkCell href={hrefOf(text)} text={text} copied={text} />,
    hasCopyButton: true,
    firstOperator: 'contains',
  } satisfies Partial<TypeDefinition>
}
