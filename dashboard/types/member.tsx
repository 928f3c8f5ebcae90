import { User } from 'lucide-react'
import { MemberChip } from '../shared/values/member-chip.tsx'
import { MemberPicker, MembersPicker } from '../shared/values/member-picker.tsx'
import { orNull, texts } from '../shared/values/several.ts'
import type { Shown, TypeDefinition } from './type-definition.ts'

const chip = ({ text }: Shown) => <MemberChip id={text} />

export const member: TypeDefinition = {
  icon: User,
  label: 'Member',
  explanation: 'A member of the organization, such as the owner of a record',
  columnWidth: 180,
  view: chip,
  cell: chip,
  isChip: true,
  editor: ({ value, ...props }) => (
    <MemberPicker {...props} value={typeof value === 'string' ? value : null} />
  ),
  manyEditor: ({ value, onChange, ...props }) => (
    <MembersPicker {...props} value={texts(value)} onChange={(values) => onChange(orNull(values))} />
  ),
  isChosen: true,
}
