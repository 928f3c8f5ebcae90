// The forms of values in a record's data (decisions, section 2), for the API document and for clients.
import { Type } from 'typebox'

const Part = Type.Optional(Type.String())

export const NameValue = Type.Object(
  { firstName: Part, lastName: Part },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Value of a name attribute; either part may be missing, not both',
    examples: [{ firstName: 'Ada', lastName: 'Lovelace' }],
  },
)

export const AddressValue = Type.Object(
  {
    line1: Part,
    line2: Part,
    city: Part,
    state: Part,
    postalCode: Part,
    country: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 alpha-2', examples: ['GB'] }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Value of an address attribute; at least one part',
    examples: [{ line1: '12 St James’s Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' }],
  },
)

export const CurrencyValue = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String({ description: 'The same as a decimal, on input' })], {
      description: 'At most 4 decimals',
    }),
    currency: Type.String({ description: 'ISO 4217 code', examples: ['USD'] }),
  },
  {
    additionalProperties: false,
    description: 'Value of a currency attribute',
    examples: [{ amount: 1200.5, currency: 'USD' }],
  },
)

const TextValue = Type.String({
  description:
    'Value of text, email, phone_number, date (`2026-11-20`), select (one of the options) and reference (the id of a record) attributes',
})
const NumberValue = Type.Number({
  description: 'Value of a number attribute: an exact decimal of up to 30 significant digits',
})
const CheckboxValue = Type.Boolean({ description: 'Value of a checkbox attribute' })

const scalars = [TextValue, NumberValue, CheckboxValue, NameValue, AddressValue, CurrencyValue]

export const AttributeValue = Type.Union(
  [
    ...scalars,
    Type.Array(Type.Union(scalars), {
      description: 'Value of a list attribute (texts), and of every attribute with `isList`',
    }),
  ],
  { description: 'One value; its form follows from the type of the attribute' },
)

/** What the data of records looks like in answers: the same as contract/records.ts RecordData, in full. */
export const DocumentedData = Type.Record(Type.String(), AttributeValue, {
  description: 'Attribute slug to value. An attribute without a value is absent, never null.',
  examples: [
    {
      name: { firstName: 'Ada', lastName: 'Lovelace' },
      email: 'ada@example.com',
      company: '0198c0de-0000-7000-8000-000000000001',
    },
  ],
})

/** … and in requests. */
export const DocumentedInput = Type.Record(Type.String(), Type.Union([AttributeValue, Type.Null()]), {
  description:
    'Attribute slug to value. `null` means no value, and clears one on update. Beside the form in which values are answered the service takes: a decimal as text for number and currency, a number for currency (in the organization’s currency), `"true"` and `"false"` for checkbox, `"Ada Lovelace"` for name, a text for address (its line1), a timestamp for date (its UTC day), and a single value for lists.',
  examples: [{ name: 'Ada Lovelace', email: 'ada@example.com', company: null }],
})

/** Their names in the API document. */
export const valueSchemas = {
  RecordData: DocumentedData,
  RecordInput: DocumentedInput,
  AttributeValue,
  NameValue,
  AddressValue,
  CurrencyValue,
}
