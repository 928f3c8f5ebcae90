// Values for the attributes of an object: a row for each set attribute.
import { Input } from '@mantine/core'
import { X } from 'lucide-react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { Select } from '../../../ui/select.tsx'
import { type FieldProps, useProblem } from './field-props.ts'
import { useAttributes, useFormPlace } from './form-context.ts'
import { SmallButton } from './small-button.tsx'
import { ValueOrTemplate } from './value-or-template.tsx'

type Data = Readonly<Record<string, unknown>>

const without = (data: Data, slug: string): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name !== slug))

interface Rows {
  /** Attributes with a value, and attributes that need one, in the order of the object. */
  shown: Attribute[]
  /** Attributes that can be added. */
  others: Attribute[]
  /** Slugs without an attribute, which may have been deleted. */
  missing: string[]
}

/** Splits attributes into those with a row and the others. @param isNeeded whether the service requires a value */
function shownAttributes(
  attributes: readonly Attribute[],
  data: Readonly<Record<string, unknown>>,
  isNeeded: (slug: string) => boolean,
): Rows {
  const isShown = ({ slug }: Attribute) => Object.hasOwn(data, slug) || isNeeded(slug)
  return {
    shown: attributes.filter(isShown),
    others: attributes.filter((attribute) => !isShown(attribute)),
    missing: Object.keys(data).filter((slug) => !attributes.some((attribute) => attribute.slug === slug)),
  }
}

interface RowProps {
  attribute: Attribute
  data: Data
  place: string
  isNeeded: boolean
  onChange(data: Data): void
}

function DataRow({ attribute, data, place, isNeeded, onChange }: RowProps) {
  const { slug, name } = attribute
  const error = useProblem(`${place}.${slug}`)
  return (
    <div className="flex shrink start gap-4">
      <div className="fill">
        <ValueOrTemplate
          attribute={attribute}
          value={data[slug]}
          onChange={(value) => onChange({ ...data, [slug]: value })}
          error={error}
          required={isNeeded}
        />
      </div>
      {!isNeeded && (
        <SmallButton
          icon={X}
          label={`Leave ${name} out`}
          mt={attribute.type === 'checkbox' ? 4 : 24}
          onClick={() => onChange(without(data, slug))}
        />
      )}
    </div>
  )
}

/** A value of a missing attribute, which can only be removed. */
function MissingRow({
  slug,
  data,
  place,
  onChange,
}: { slug: string } & Pick<RowProps, 'data' | 'place' | 'onChange'>) {
  const error = useProblem(`${place}.${slug}`)
  return (
    <div className="flex shrink start gap-4">
      <div className="fill">
        <code>{slug}</code>
        <Input.Error>{error ?? 'There is no such attribute'}</Input.Error>
      </div>
      <SmallButton icon={X} label={`Leave ${slug} out`} onClick={() => onChange(without(data, slug))} />
    </div>
  )
}

function AddAttribute({
  attributes,
  onAdd,
}: {
  attributes: readonly Attribute[]
  onAdd(slug: string): void
}) {
  if (attributes.length === 0) return null
  return (
    <Select
      aria-label="Add an attribute"
      placeholder="Add an attribute"
      data={attributes.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={null}
      searchable
      nothingFoundMessage="No matching attributes"
      onChange={(slug) => slug && onAdd(slug)}
    />
  )
}

export function DataField({ field, value, onChange, place, object }: FieldProps) {
  const { problems } = useFormPlace().context
  const attributes = useAttributes(object)
  const data = (typeof value === 'object' && value !== null ? value : {}) as Data
  const isNeeded = (slug: string) =>
    problems.some(({ path, code }) => code === 'required' && path === `${place}.${slug}`)
  const { shown, others, missing } = shownAttributes(attributes, data, isNeeded)
  const common = { data, place, onChange }
  return (
    <fieldset>
      <legend>
        <Input.Label labelElement="div">{field.label}</Input.Label>
      </legend>
      <div className="stack gap-12">
        {object === '' && <Input.Description>Choose an object first</Input.Description>}
        {shown.map((attribute) => (
          <DataRow
            key={attribute.slug}
            {...common}
            attribute={attribute}
            isNeeded={isNeeded(attribute.slug) && !Object.hasOwn(data, attribute.slug)}
          />
        ))}
        {attributes.length > 0 && missing.map((slug) => <MissingRow key={slug} {...common} slug={slug} />)}
        <AddAttribute attributes={others} onAdd={(slug) => onChange({ ...data, [slug]: null })} />
      </div>
    </fieldset>
  )
}
