import { Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import { hostIn } from '../../contract/host-name.ts'
import { LinkCell } from '../shared/table/link-cell.tsx'
import type { Shown, TypeDefinition } from './type-definition.ts'

/** The address of the domain's website. undefined for an old text value without a host name. */
function hrefOf(value: unknown): string | undefined {
  const host = hostIn(String(value))
  return host === undefined ? undefined : `https://${host}`
}

function view({ value, text }: Shown): ReactNode {
  const href = hrefOf(value)
  if (href === undefined) return text
  return (
    <a className="underlined" href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}

function cell({ value, text }: Shown): ReactNode {
  const href = hrefOf(value)
  return href === undefined ? text : <LinkCell href={href} text={text} copied={text} target="_blank" />
}

export const domain: TypeDefinition = {
  icon: Globe,
  label: 'Domain',
  explanation: 'The website of an organization, such as acme.com',
  columnWidth: 208,
  view,
  cell,
  hasCopyButton: true,
  firstOperator: 'contains',
}
