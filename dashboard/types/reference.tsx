import { Link2 } from 'lucide-react'
import { refersToMembers } from '../../contract/attribute-types/reference.ts'
import { targetOf } from '../shared/values/attribute-config.ts'
import { MemberChip } from '../shared/values/member-chip.tsx'
import { MemberPicker, MembersPicker } from '../shared/values/member-picker.tsx'
import { RecordChip } from '../shared/values/record-chip.tsx'
import { ReferencePicker, ReferencesPicker } from '../shared/values/reference-picker.tsx'
import { orNull, texts } from '../shared/values/several.ts'
import type { Shown, TypeDefinition } from './type-definition.ts'

function Target({ attribute, text, tabIndex }: Shown & { tabIndex?: number }) {
  if (refersToMembers(attribute)) return <MemberChip id={text} />
  return (
    <RecordChip
      objectId={targetOf(attribute) ?? ''}
      recordId={text}
      {...(tabIndex !== undefined && { tabIndex })}
    />
  )
}

export const reference: TypeDefinition = {
  icon: Link2,
  label: 'Reference',
  explanation: 'A link to a record of this or another object, or to a member',
  columnWidth: 180,
  view: (shown) => <Target {...shown} />,
  cell: (shown) => <Target {...shown} tabIndex={-1} />,
  isChip: true,
  editor({ value, ...props }, attribute) {
    const id = typeof value === 'string' ? value : null
    if (refersToMembers(attribute)) return <MemberPicker {...props} value={id} />
    return <ReferencePicker {...props} objectId={targetOf(attribute) ?? ''} value={id} />
  },
  manyEditor({ value, onChange, ...props }, attribute) {
    const field = { ...props, value: texts(value), onChange: (values: string[]) => onChange(orNull(values)) }
    if (refersToMembers(attribute)) return <MembersPicker {...field} />
    return <ReferencesPicker {...field} objectId={targetOf(attribute) ?? ''} />
  },
  isChosen: true,
}
