import { User } from 'lucide-react'
import { MemberChip } from '../shared/values/member-chip.tsx'
import type { Shown, TypeDefinition } from './type-definition.ts'

const chip = ({ text }: Shown) => <MemberChip id={text} />

export const member: TypeDefinition = {
  icon: User,
  label: 'Member',
  explanation: 'A member of the organization, such as the owner of a record',
  columnWidth: 160,
  view: chip,
  cell: chip,
  isChip: true,
  isChosen: true,
}
