import { useOrganization } from '../../shared/use-organization.ts'
import { CurrencySelect } from '../../shared/values/currency-select.tsx'
import type { EditorProps } from '../../shared/values/editor-props.ts'
import { isMoney } from '../../shared/values/format.ts'
import { readTypedMoney, TypedNumber } from '../../shared/values/number-editor.tsx'
import type { TypeEditor } from './type-editor.ts'

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

export const currency: TypeEditor = {
  fromPasted: readTypedMoney,
  editor: (props) => <MoneyEditor {...props} />,
}
