import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { notFound, useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { canName, namingAttribute } from '../../../contract/record-name.ts'
import type { Attribute } from '../../shared/api/objects.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { ReadOnlyNote } from '../../ui/allowed.tsx'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { usePanel } from '../../ui/use-panel.ts'
import { attributesQuery } from './api/attributes.ts'
import { allObjectsQuery, type ObjectOverview } from './api/object-administration.ts'
import { AttributePanel } from './objects/attribute-panel.tsx'
import { AttributeTable } from './objects/attribute-table.tsx'
import { DeletedAttributes } from './objects/deleted-attributes.tsx'
import { DuplicateRules } from './objects/duplicate-rules.tsx'
import { NamingChoice } from './objects/naming-choice.tsx'
import { NewAttributePanel } from './objects/new-attribute-panel.tsx'
import { ObjectDanger } from './objects/object-danger.tsx'
import { ObjectDetails } from './objects/object-details.tsx'
import { ObjectRetention } from './objects/object-retention.tsx'
import { settingsPaths } from './paths.ts'

interface ObjectFactsProps {
  object: ObjectOverview
  attributes: readonly Attribute[]
}

/** The names of the object, for users who cannot change them. */
function ObjectFacts({ object, attributes }: ObjectFactsProps) {
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

/** Cannot be the slug of an attribute: slugs contain no hyphen. */
const NEW = 'new-attribute'

function Notes({ object, isAdmin }: { object: ObjectOverview; isAdmin: boolean }) {
  if (!isAdmin) return <ReadOnlyNote>Only owners and admins can change objects and attributes.</ReadOnlyNote>
  if (object.type === 'custom') return null
  return (
    <ReadOnlyNote>
      {object.pluralName} is a standard object: it and the attributes that it came with keep their names and
      cannot be deleted, so that programs can rely on them. You can add attributes.
    </ReadOnlyNote>
  )
}

interface AttributesProps {
  object: ObjectOverview
  attributes: Attribute[]
  isReadOnly: boolean
}

function Panels({ object, attributes, isReadOnly }: AttributesProps) {
  const { panel, close } = usePanel()
  const opened = attributes.find(({ slug }) => slug === panel)
  if (panel === NEW && !isReadOnly) return <NewAttributePanel object={object.slug} onClose={close} />
  if (!opened) return null
  const props = { object: object.slug, attribute: opened, isReadOnly, onClose: close }
  return <AttributePanel key={opened.id} {...props} />
}

function Attributes(props: AttributesProps) {
  const { object, attributes, isReadOnly } = props
  const { open } = usePanel()
  return (
    <Section
      title="Attributes"
      description="In the order of columns and forms."
      actions={
        !isReadOnly && (
          <Button variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={() => open(NEW)}>
            New attribute
          </Button>
        )
      }
    >
      <AttributeTable
        object={object.slug}
        attributes={attributes}
        isReadOnly={isReadOnly}
        onOpen={({ slug }) => open(slug)}
      />
      <Panels {...props} />
    </Section>
  )
}

export function ObjectPage() {
  const { object: slug } = useParams({ from: '/o/$org/settings/objects/$object' })
  const { organization, may } = useOrganization()
  const { data: objects } = useSuspenseQuery(allObjectsQuery(organization.slug))
  const { data: attributes } = useSuspenseQuery(attributesQuery(organization.slug, slug))
  const object = objects.find((one) => one.slug === slug)
  if (!object) throw notFound()
  const isAdmin = may('admin')
  const isCustom = object.type === 'custom'
  return (
    <SettingsPage
      key={object.id}
      title={object.pluralName}
      heading={
        <Crumbs
          way={[{ name: 'Objects', to: settingsPaths.settingsObjects(organization.slug) }]}
          here={object.pluralName}
        />
      }
      lead="What this object is called, and which attributes its records have."
    >
      <Notes object={object} isAdmin={isAdmin} />
      {isAdmin && isCustom ? (
        <>
          <ObjectDetails object={object} />
          <NamingChoice object={object.slug} attributes={attributes} />
        </>
      ) : (
        <ObjectFacts object={object} attributes={attributes} />
      )}
      <Attributes object={object} attributes={attributes} isReadOnly={!isAdmin} />
      {isAdmin && <DeletedAttributes object={object.slug} />}
      <DuplicateRules object={object.slug} attributes={attributes} isReadOnly={!isAdmin} />
      {isAdmin && <ObjectRetention object={object} />}
      {isAdmin && isCustom && <ObjectDanger object={object} />}
    </SettingsPage>
  )
}
