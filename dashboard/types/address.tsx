import { TextInput } from '@mantine/core'
import { MapPin } from 'lucide-react'
import { CountrySelect } from '../shared/values/country-select.tsx'
import type { EditorProps } from '../shared/values/editor-props.ts'
import { type Address, formatAddress } from '../shared/values/format.ts'
import { compact } from './compact.ts'
import type { TypeDefinition } from './type-definition.ts'

const ADDRESS_PARTS = [
  ['line1', 'Street'],
  ['line2', 'Apartment, suite'],
  ['postalCode', 'Postal code'],
  ['city', 'City'],
  ['state', 'State or region'],
] as const

function AddressEditor({ value, onChange, label, error, autoFocus }: EditorProps) {
  const address = (value ?? {}) as Address
  const set = (part: Address) => onChange(compact({ ...address, ...part }))
  return (
    <fieldset aria-label={label}>
      {label && <legend>{label}</legend>}
      <div className="stack gap-8">
        {ADDRESS_PARTS.map(([part, name], index) => (
          <TextInput
            key={part}
            label={name}
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

export const address: TypeDefinition = {
  icon: MapPin,
  label: 'Address',
  explanation: 'Street, city, postal code and country',
  columnWidth: 240,
  format: (value) => formatAddress(value as Address),
  editor: (props) => <AddressEditor {...props} />,
  hasManyFields: true,
  firstOperator: 'contains',
}
