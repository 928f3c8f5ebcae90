// The catalogue of event types: when an event is sent, the fields of its body, and an example.
import { Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { CodeBox } from '../../ui/code-box.tsx'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Section, SettingsPage } from '../../ui/sections.tsx'
import { type CatalogueEntry, catalogueQuery } from './api/webhooks.ts'
import classes from './catalogue/catalogue.module.css'
import { SchemaTable } from './catalogue/schema-table.tsx'
import { TypeNav, TypePicker } from './catalogue/type-nav.tsx'
import { useSpace } from './space.tsx'

function Heading() {
  return <Crumbs way={[{ name: 'Webhooks', to: useSpace().paths.endpoints() }]} here="Event types" />
}

function Entry({ entry }: { entry: CatalogueEntry }) {
  return (
    <article className="stack shrink" style={{ gap: 24 }} aria-label={entry.name}>
      <header>
        <Text component="h2" size="lg" fw={600} className="mono">
          {entry.name}
        </Text>
        <Text size="md" c="dimmed" mt={4}>
          {entry.description}.
        </Text>
      </header>
      <Section title="Body">
        <SchemaTable entry={entry} />
      </Section>
      <Section title="Example">
        <CodeBox code={entry.example} label="Copy example" />
      </Section>
    </article>
  )
}

export function CataloguePage() {
  const { data: entries } = useSuspenseQuery(catalogueQuery(useSpace()))
  const { type } = useSearch({ strict: false }) as { type?: string }
  const entry = entries.find(({ name }) => name === type) ?? entries[0]
  if (!entry) return null
  return (
    <SettingsPage
      title="Event types"
      heading={<Heading />}
      lead="The events your services can receive, and the body of each request."
    >
      <div className={classes.catalogue}>
        <TypeNav entries={entries} current={entry.name} />
        <TypePicker entries={entries} current={entry.name} />
        <Entry key={entry.name} entry={entry} />
      </div>
    </SettingsPage>
  )
}
