// The names of an object, for users who cannot change them.
import { canName, namingAttribute } from '../../../../contract/record-name.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { ObjectOverview } from '../api/object-administration.ts'

interface ObjectFactsProps {
  object: ObjectOverview
  attributes: readonly Attribute[]
}

export function ObjectFacts({ object, attributes }: ObjectFactsProps) {
  const naming = namingAttribute(attributes.filter((one) => one.isActive && canName(one)))
  const facts = [
    ['Plural name', object.pluralName],
    ['Singular name', object.singularName],
    ['Slug', <code key="slug">{object.slug}</code>],
    ['Description', object.description],
    ['Records are named by', naming?.name ?? 'The end of their ID'],
  ] as const
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value !== '' && [<dt key={`${name} name`}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>],
      )}
    </dl>
  )
}
