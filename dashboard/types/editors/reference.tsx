import { targetOf } from '../../shared/values/attribute-config.ts'
import { ReferencePicker, ReferencesPicker } from '../../shared/values/reference-picker.tsx'
import { orNull, texts } from '../../shared/values/several.ts'
import type { TypeEditor } from './type-editor.ts'

export const reference: TypeEditor = {
  editor: ({ value, ...props }, attribute) => (
    <ReferencePicker
      {...props}
      objectId={targetOf(attribute) ?? ''}
      value={typeof value === 'string' ? value : null}
    />
  ),
  manyEditor: ({ value, onChange, ...props }, attribute) => (
    <ReferencesPicker
      {...props}
      objectId={targetOf(attribute) ?? ''}
      value={texts(value)}
      onChange={(values) => onChange(orNull(values))}
    />
  ),
}
