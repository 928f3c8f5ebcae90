import { Link2 } from 'lucide-react'
import { targetOf } from '../shared/values/attribute-config.ts'
import { RecordChip } from '../shared/values/record-chip.tsx'
import type { TypeDefinition } from './type-definition.ts'

export const reference: TypeDefinition = {
  icon: Link2,
  label: 'Reference',
  explanation: 'A link to a record of this or another object',
  columnWidth: 180,
  view: ({ attribute, text }) => <RecordChip objectId={targetOf(attribute) ?? ''} recordId={text} />,
  cell: ({ attribute, text }) => (
    <RecordChip objectId={targetOf(attribute) ?? ''} recordId={text} tabIndex={-1} />
  ),
  isChip: true,
  isChosen: true,
}
