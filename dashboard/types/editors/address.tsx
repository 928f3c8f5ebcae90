import { TextInput } from '@mantine/core'
import { type Address, type AddressPart, addressParts } from '../../../contract/address-values.ts'
import { CountrySelect } from '../../shared/values/country-select.tsx'
import type { EditorProps } from '../../shared/values/editor-props.ts'
import { compact } from './compact.ts'
import type { TypeEditor } from './type-editor.ts'

const LABELS: Readonly<Record<AddressPart, string>> = {
  line1: 'Street',
  line2: 'Apartment, suite',
  postalCode: 'Postal code',
  city: 'City',
  state: 'State or region',
  country: 'Country',
}

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
            label={LABELS[part]}
            value={address[part] ?? ''}
            autoFocus={(autoFocus ?? false) && index === 0}
            error={index === 0 ? error : undefined}
            onChange={({ currentTarget }) => set({ [part]: currentTarget.value })}
          />
        ))}
        <CountrySelect
          label={LABELS.country}
          value={address.country ?? null}
          onChange={(country) => set({ country: country ?? '' })}
        />
      </div>
    </fieldset>
  )
}

export const address: TypeEditor = { editor: (props) => <AddressEditor {...props} /> }
