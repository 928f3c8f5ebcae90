import { MemberPicker, MembersPicker } from '../../shared/values/member-picker.tsx'
import { orNull, texts } from '../../shared/values/several.ts'
import type { TypeEditor } from './type-editor.ts'

export const member: TypeEditor = {
  editor: ({ value, ...props }) => (
    <MemberPicker {...props} value={typeof value === 'string' ? value : null} />
  ),
  manyEditor: ({ value, onChange, ...props }) => (
    <MembersPicker {...props} value={texts(value)} onChange={(values) => onChange(orNull(values))} />
  ),
}
