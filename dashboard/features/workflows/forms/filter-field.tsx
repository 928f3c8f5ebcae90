// A filter of records: conditions on attributes, compared with values or templates.
import { Input, SimpleGrid } from '@mantine/core'
import type { Attribute } from '../../../shared/api/objects.ts'
import { useAlong } from '../../../shared/filters/along.ts'
import type { Condition } from '../../../shared/filters/filter.ts'
import { type LogicTree, leavesOf } from '../../../shared/filters/logic-tree.ts'
import { OperandEditor } from '../../../shared/filters/operand-editor.tsx'
import { arityOf } from '../../../shared/filters/operands.ts'
import { OperatorSelect } from '../../../shared/filters/operator-select.tsx'
import { firstOperator } from '../../../shared/filters/operator-words.ts'
import { filterable } from '../../../shared/filters/record-fields.ts'
import { withOperator } from '../../../shared/filters/with-operator.ts'
import { Select } from '../../../ui/select.tsx'
import { textOf, useProblem } from './field-props.ts'
import { useAttributes } from './form-context.ts'
import { type LeafKind, LogicRows } from './logic-rows.tsx'
import { TemplateInput } from './template-input.tsx'
import { Switched } from './value-or-template.tsx'

interface LeafProps {
  leaf: Condition
  attributes: readonly Attribute[]
  place: string
  hasTemplates: boolean
  onChange(leaf: Condition): void
}

function Operand({ leaf, attribute, place, hasTemplates, onChange }: LeafProps & { attribute: Attribute }) {
  const error = useProblem(`${place}.value`)
  const arity = arityOf(leaf.operator)
  const set = (value: unknown) => onChange({ ...leaf, value: value as Condition['value'] })
  const { operator, value } = leaf
  const editor = (
    <div>
      <OperandEditor attribute={attribute} operator={operator} value={value} onChange={set} />
      {error && <Input.Error>{error}</Input.Error>}
    </div>
  )
  if (arity === 'nothing') return null
  if (!hasTemplates || arity === 'two') return editor
  return (
    <Switched
      value={value}
      what={attribute.name}
      onChange={set}
      none={arity === 'many' ? [] : ''}
      isLabelled={false}
      template={(text) => <TemplateInput aria-label="Value" value={text} onChange={set} error={error} />}
      editor={editor}
    />
  )
}

function FilterLeaf(props: LeafProps) {
  const { leaf, attributes, place, onChange } = props
  const errors = [useProblem(`${place}.attributeSlug`), useProblem(`${place}.operator`)]
  const attribute = attributes.find(({ slug }) => slug === leaf.attributeSlug)
  const options = attributes.map(({ slug, name }) => ({ value: slug, label: name }))
  const missing =
    attribute || leaf.attributeSlug === '' ? [] : [{ value: leaf.attributeSlug, label: leaf.attributeSlug }]
  const choose = (slug: string) => {
    const chosen = attributes.find((one) => one.slug === slug)
    if (chosen) onChange({ attributeSlug: slug, operator: firstOperator(chosen.type), value: '' })
  }
  return (
    <div className="stack shrink gap-4">
      <SimpleGrid minColWidth={150} autoFlow="auto-fit" spacing={4}>
        <Select
          aria-label="Attribute"
          placeholder="Choose an attribute"
          data={[...missing, ...options]}
          value={leaf.attributeSlug || null}
          allowDeselect={false}
          searchable
          error={errors[0]}
          onChange={(slug) => slug && choose(slug)}
        />
        {attribute && (
          <OperatorSelect
            attribute={attribute}
            value={leaf.operator}
            error={errors[1]}
            onChange={(operator) => onChange(withOperator(leaf, operator))}
          />
        )}
      </SimpleGrid>
      {attribute && (
        <Operand key={`${leaf.attributeSlug} ${arityOf(leaf.operator)}`} {...props} attribute={attribute} />
      )}
    </div>
  )
}

const EMPTY: Condition = { attributeSlug: '', operator: 'equals', value: '' }

interface FilterFieldProps {
  label: string
  value: unknown
  place: string
  /** Id or slug of the object. */
  object: string
  /** Whether operands may be templates. */
  hasTemplates: boolean
  /** undefined: all records. */
  onChange(value: unknown): void
}

export function FilterField({ label, value, place, object, hasTemplates, onChange }: FilterFieldProps) {
  const own = filterable(useAttributes(object))
  const { near, far } = useAlong(own, true)
  // There are many attributes along two references, so only those that the filter uses are included.
  const named = new Set(leavesOf(value).map((leaf) => (leaf as Partial<Condition>).attributeSlug))
  const attributes = [...own, ...near, ...far.filter(({ slug }) => named.has(slug))]
  const error = useProblem(place, true)
  const kind: LeafKind<Condition> = {
    noun: 'filter',
    isNeeded: false,
    empty: () => EMPTY,
    render: (leaf, at, set) => (
      <FilterLeaf leaf={leaf} place={at} onChange={set} attributes={attributes} hasTemplates={hasTemplates} />
    ),
  }
  return (
    <fieldset>
      <legend>
        <Input.Label labelElement="div">{label}</Input.Label>
      </legend>
      {object === '' ? (
        <Input.Description>Choose an object first</Input.Description>
      ) : (
        <LogicRows
          kind={kind}
          tree={value as LogicTree<Condition> | undefined}
          place={place}
          depth={1}
          onChange={onChange}
        />
      )}
      {error && <Input.Error>{textOf(error)}</Input.Error>}
    </fieldset>
  )
}
