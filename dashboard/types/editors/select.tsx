import { optionsOf } from '../../shared/values/attribute-config.ts'
import { OnePicker } from '../../shared/values/one-picker.tsx'
import { orNull, texts } from '../../shared/values/several.ts'
import { MultiPicker } from '../../ui/multi-picker.tsx'
import type { TypeEditor } from './type-editor.ts'

export const select: TypeEditor = {
  editor: ({ value, ...props }, attribute) => (
    <OnePicker
      {...props}
      data={optionsOf(attribute).map((one) => ({ value: one, label: one }))}
      value={String(value ?? '') || null}
    />
  ),
  manyEditor: ({ value, onChange, ...props }, attribute) => (
    <MultiPicker
      {...props}
      data={optionsOf(attribute)}
      value={texts(value)}
      onChange={(values) => onChange(orNull(values))}
      clearable
    />
  ),
}
