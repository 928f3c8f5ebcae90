import { DollarSign } from 'lucide-react'
import { formatMoney } from '../../contract/number-values.ts'
import { PlainCell } from '../shared/table/plain-cell.tsx'
import { useOrganization } from '../shared/use-organization.ts'
import { CurrencySelect } from '../shared/values/currency-select.tsx'
import type { EditorProps } from '../shared/values/editor-props.ts'
import { isMoney } from '../shared/values/format.ts'
import { readTypedMoney, TypedNumber } from '../shared/values/number-editor.tsx'
import type { TypeDefinition } from './type-definition.ts'

const MONEY = { gridTemplateColumns: '1fr 104px' }

function MoneyEditor({ value, onChange, ...field }: EditorProps) {
  const { organization } = useOrganization()
  const money = isMoney(value) ? value : undefined
  const currency = money?.currency ?? organization.currency
  return (
    <div className="grid gap-8" style={MONEY}>
      <TypedNumber
        {...field}
        value={money?.amount ?? null}
        currency={currency}
        onChange={onChange}
        onRead={(amount, reading) => onChange({ amount, currency: reading?.currency ?? currency })}
      />
      <CurrencySelect
        aria-label="Currency"
        {...(field.label && { label: 'Currency' })}
        value={currency}
        onChange={(code) => onChange({ amount: money?.amount ?? 0, currency: code })}
      />
    </div>
  )
}

export const currency: TypeDefinition = {
  icon: DollarSign,
  label: 'Currency',
  explanation: 'An amount of money with its currency',
  columnWidth: 140,
  format: (value) => (isMoney(value) ? formatMoney(value) : ''),
  formatPlain: (value) => (isMoney(value) ? `${value.amount} ${value.currency}` : ''),
  cell: ({ value, text }) =>
    isMoney(value) ? <PlainCell text={text} exact={`${text} ${value.currency}`} /> : null,
  isNumeric: true,
  fromPasted: readTypedMoney,
  editor: (props) => <MoneyEditor {...props} />,
  hasManyFields: true,
}
