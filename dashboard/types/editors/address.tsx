import { TextInput } from '@mantine/core'
import { type Address, addressParts } from '../../../contract/address-values.ts'
import { capitalized } from '../../shared/api/errors.ts'
import { CountrySelect } from '../../shared/values/country-select.tsx'
import type { EditorProps } from '../../shared/values/editor-props.ts'
import { partWords } from '../../shared/values/part-words.ts'
import { compact } from './compact.ts'
import type { TypeEditor } from './type-editor.ts'

function AddressEditor({ value, onChange, label, error, autoFocus }: EditorProps) {
  const address = (value ?? {}) as Address
  const set = (part: Address) => onChange(compact({ ...address, ...part }))
  return (
    <fieldset aria-label={label}>
      {label && <legend>{label}</legend>}
      <div className="stack gap-8">
        {addressParts(address.country).map((part, index) => (
          <TextInput
            key={part}
            label={capitalized(partWords(part))}
            value={address[part] ?? ''}
            autoFocus={(autoFocus ?? false) && index === 0}
            error={index === 0 ? error : undefined}
            onChange={({ currentTarget }) => set({ [part]: currentTarget.value })}
          />
        ))}
        <CountrySelect
          label="Country"
          value={address.country ?? null}
          onChange={(country) => set({ country: country ?? '' })}
        />
      </div>
    </fieldset>
  )
}

export const address: TypeEditor = { editor: (props) => <AddressEditor {...props} /> }
