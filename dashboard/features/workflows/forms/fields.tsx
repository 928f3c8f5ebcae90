// The fields of an object, each with an input for its schema.
import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  AttributeField,
  AttributesField,
  ChoiceField,
  EndpointField,
  MembersField,
  ObjectField,
  ReportField,
  ZoneField,
} from './choice-fields.tsx'
import { ConditionField } from './condition-field.tsx'
import { DataField } from './data-field.tsx'
import { type FieldListProps, type FieldProps, textOf, type Values } from './field-props.ts'
import { FilterField } from './filter-field.tsx'
import { type FieldKind, fieldsOf, withField } from './form-fields.ts'
import { PairsField } from './pairs-field.tsx'
import { RecordField } from './record-field.tsx'
import { RowsField } from './rows-field.tsx'
import {
  AddressesField,
  AnyField,
  FlagField,
  NumberField,
  PlainField,
  TextField,
  TimeField,
} from './text-fields.tsx'

/** Shows optional fields only when the required ones are filled. Otherwise the whole group is removed. */
function GroupField({ field, value, onChange, place, object }: FieldProps) {
  const values = (typeof value === 'object' && value !== null ? value : {}) as Values
  const fields = fieldsOf(field.schema)
  const needed = fields.filter(({ isRequired }) => isRequired)
  const isThere = (all: Values) => needed.every(({ name }) => all[name] !== undefined && all[name] !== '')
  const shown = (isThere(values) ? fields : needed).map((one) => ({ ...one, isRequired: false }))
  return (
    <SimpleGrid cols={shown.length === 2 ? 2 : 1} spacing={8}>
      <FieldList
        fields={shown}
        values={values}
        place={place}
        object={object}
        onChange={(changed) => onChange(isThere(changed) ? changed : undefined)}
      />
    </SimpleGrid>
  )
}

const Filter = ({ field, ...props }: FieldProps) => (
  <FilterField {...props} label={field.label} hasTemplates />
)

function Template(props: FieldProps) {
  if (props.field.name === 'to') return <AddressesField {...props} />
  return props.field.schema.type === 'string' ? <TextField {...props} /> : <AnyField {...props} />
}

const WIDGETS: Readonly<Record<FieldKind, (props: FieldProps) => ReactNode>> = {
  object: ObjectField,
  record: RecordField,
  data: DataField,
  filter: Filter,
  attribute: AttributeField,
  attributes: AttributesField,
  condition: ConditionField,
  template: Template,
  longTemplate: TextField,
  json: AnyField,
  endpoint: EndpointField,
  report: ReportField,
  members: MembersField,
  timeZone: ZoneField,
  pairs: PairsField,
  flag: FlagField,
  steps: () => null,
  choice: ChoiceField,
  number: NumberField,
  rows: (props) => <RowsField {...props} Fields={FieldList} />,
  group: GroupField,
  time: TimeField,
  text: PlainField,
}

function Field(props: FieldProps & { values: Values }) {
  const { values, ...field } = props
  const { name } = field.field
  // The id of a participant is the id of a person record or of a user.
  if (name === 'id') {
    const isMember = values['type'] === 'user'
    const label = isMember ? 'User' : 'Person'
    return (
      <RecordField
        {...field}
        field={{ ...field.field, label }}
        object="people"
        isMember={isMember}
        key={label}
      />
    )
  }
  const Widget = WIDGETS[field.field.kind]
  return <Widget {...field} />
}

export function FieldList({ fields, values, place, onChange, object = '' }: FieldListProps) {
  const about = textOf(values['object'] ?? values['objectId']) || object
  return fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      value={values[field.name]}
      values={values}
      place={`${place}.${field.name}`}
      object={about}
      onChange={(value) => onChange(withField(values, field.name, value))}
    />
  ))
}
