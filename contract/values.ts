// Schemas of the values of a record (decisions, section 2), for the API document and for clients.
import { type TSchema, Type } from 'typebox'
import { TEXT_VALUE, type TypeContract } from './attribute-types/type-contract.ts'
import { ATTRIBUTE_TYPES, type AttributeType, TYPE_CONTRACTS } from './attribute-types.ts'
import { Nullable } from './common.ts'

type FormOf = (type: TypeContract) => TypeContract['value']

const answered: FormOf = ({ value }) => value
const sent: FormOf = ({ value, input }) => input ?? value

const documented = (type: AttributeType, form = answered) => Type.Unsafe<unknown>(form(TYPE_CONTRACTS[type]))

const NameValue = documented('name')
const AddressValue = documented('address')
const CurrencyValue = documented('currency')
const CurrencyInput = documented('currency', sent)
const ReferenceInput = documented('reference', sent)

const textTypes = ATTRIBUTE_TYPES.filter((type) => TYPE_CONTRACTS[type].value === TEXT_VALUE)
const namedTypes = textTypes.map((type) => {
  const { texts } = TYPE_CONTRACTS[type]
  return texts === undefined ? type : `${type} (${texts})`
})
const TextValue = {
  ...TEXT_VALUE,
  // British English has no comma before the last item.
  description: `Value of ${new Intl.ListFormat('en-GB').format(namedTypes)} attributes`,
}

/** Without the type list, whose values are arrays of texts. */
const scalarTypes = ATTRIBUTE_TYPES.filter((type) => type !== 'list').map((type) => TYPE_CONTRACTS[type])

const scalarsOf = (form: FormOf): TSchema[] =>
  [...new Set(scalarTypes.map(form))].map((schema) =>
    Type.Unsafe<unknown>(schema === TEXT_VALUE ? TextValue : schema),
  )

const anyValue = (form: FormOf, description: string) => {
  const scalars = scalarsOf(form)
  const list = Type.Array(Type.Union(scalars), {
    description: 'Value of a list attribute (texts), and of every attribute with `isList`',
  })
  return Type.Union([...scalars, list], { description })
}

const FORM = 'One value; its format depends on the type of the attribute'
const AttributeValue = anyValue(answered, FORM)
const AttributeInput = anyValue(sent, `${FORM}. Some types accept other formats too: see RecordInput`)

/** The data of records in responses: RecordData of contract/record.ts in full. */
const DocumentedData = Type.Record(Type.String(), AttributeValue, {
  description: 'Values by attribute slug. An attribute without a value is absent, never null.',
  examples: [
    {
      name: { firstName: 'Ada', lastName: 'Lovelace' },
      email: 'ada@example.com',
      company: '0198c0de-0000-7000-8000-000000000001',
    },
  ],
})

/** The data of records in requests. */
const DocumentedInput = Type.Record(Type.String(), Nullable(AttributeInput), {
  description:
    'Values by attribute slug. `null` means no value, and clears a value on update. `""` is a value for text, and is rejected for every other type. In addition to the format of responses the service accepts: a decimal as text for number and currency, a number for currency (in the organization’s currency), `"true"` and `"false"` for checkbox, `"Ada Lovelace"` or `"Lovelace, Ada"` for name, a text for address (its line1), a country as a code of three letters or a name, a timestamp for date (its UTC day), a unique attribute and its value for reference (`{"domain": "acme.com"}`), and a single value for lists.',
  examples: [{ name: 'Ada Lovelace', email: 'ada@example.com', company: null }],
})

/** Schemas by their names in the API document. */
export const valueSchemas = {
  RecordData: DocumentedData,
  RecordInput: DocumentedInput,
  AttributeValue,
  AttributeInput,
  NameValue,
  AddressValue,
  CurrencyValue,
  CurrencyInput,
  ReferenceInput,
}
