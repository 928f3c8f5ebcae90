// Creates a workflow: empty, or from a template.
import { Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FilePlus2, SearchX } from 'lucide-react'
import { fillTemplate } from '../../../../contract/workflow-templates.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { EmptyState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Waiting } from '../../../shared/waiting.tsx'
import { BackToGallery, GalleryButton, GalleryItem } from '../../../ui/gallery-button.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { templatesQuery, type WorkflowTemplate } from '../api/workflows.ts'
import { namesOf } from '../node-names.ts'
import { workflowPaths } from '../paths.ts'
import { TRIGGERS, triggerWords } from '../trigger-words.ts'
import { useWorkflowSearch } from '../workflow-search.ts'
import { TemplateForm } from './template-form.tsx'
import { answersOf, readableFillings } from './template-inputs.ts'

function Template({ template, onChoose }: { template: WorkflowTemplate; onChoose(): void }) {
  const { data: objects } = useSuspenseQuery(objectsQuery(useOrg()))
  const { name, description, inputs } = template
  const definition = fillTemplate(template.definition, readableFillings(inputs, answersOf(template)))
  const Icon = TRIGGERS[definition.trigger].icon
  return (
    <li>
      <GalleryButton
        icon={<Icon size={16} aria-hidden className="muted" />}
        title={name}
        texts={[description, triggerWords(definition, namesOf(objects))]}
        onClick={onChoose}
      />
    </li>
  )
}

function Templates({ onChoose }: { onChoose(template: WorkflowTemplate): void }) {
  const org = useOrg()
  const query = useQuery(templatesQuery(org))
  const { data } = query
  if (!data) return <Waiting query={query} />
  return (
    <>
      <Link to={workflowPaths.newWorkflow(org)}>
        <GalleryItem
          icon={<FilePlus2 size={16} aria-hidden className="muted" />}
          title="Start from scratch"
          texts={['Choose a trigger, then add steps']}
        />
      </Link>
      <Text component="h3" size="xs" c="dimmed" mt={20} mb={8}>
        Templates
      </Text>
      <ul className="stack gap-8">
        {data.map((template) => (
          <Template key={template.id} template={template} onChoose={() => onChoose(template)} />
        ))}
      </ul>
    </>
  )
}

function Chosen({ id, onBack }: { id: string; onBack(): void }) {
  const query = useQuery(templatesQuery(useOrg()))
  const { data } = query
  if (!data) return <Waiting query={query} />
  const template = data.find((one) => one.id === id)
  if (template) return <TemplateForm key={id} template={template} onBack={onBack} />
  return (
    <EmptyState icon={SearchX} title="Template not found" action={<BackToGallery onClick={onBack} />}>
      Choose another one.
    </EmptyState>
  )
}

export function Gallery({ onClose }: { onClose(): void }) {
  const [{ template }, change] = useWorkflowSearch()
  const { data } = useQuery(templatesQuery(useOrg()))
  const name = data?.find(({ id }) => id === template)?.name
  return (
    <SidePanel title={name ?? 'Create workflow'} onClose={onClose} size={560}>
      {template === undefined ? (
        <Templates onChoose={({ id }) => change({ template: id })} />
      ) : (
        <Chosen id={template} onBack={() => change({ template: undefined })} />
      )}
    </SidePanel>
  )
}
