// Where a workflow begins: empty, or from a template.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FilePlus2, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { fillTemplate } from '../../../../../contract/workflow-templates.ts'
import { objectsQuery } from '../../../../shared/api/objects.ts'
import { ErrorState } from '../../../../shared/state.tsx'
import { useOrg } from '../../../../shared/use-organization.ts'
import { PartPending } from '../../../../ui/page-pending.tsx'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { templatesQuery, type WorkflowTemplate } from '../../api/workflows.ts'
import { namesOf } from '../../node-names.ts'
import { workflowPaths } from '../../paths.ts'
import { TRIGGERS, triggerWords } from '../../trigger-words.ts'
import { useWorkflowSearch } from '../../workflow-search.ts'
import classes from './gallery.module.css'
import { TemplateForm } from './template-form.tsx'
import { answersOf, readableFillings } from './template-inputs.ts'

function Content({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <Icon size={16} aria-hidden className={classes.icon} />
      <span className="shrink">
        <span className={classes.title}>{title}</span>
        {children}
      </span>
    </>
  )
}

function Template({ template, onChoose }: { template: WorkflowTemplate; onChoose(): void }) {
  const { data: objects } = useSuspenseQuery(objectsQuery(useOrg()))
  const { name, description, inputs } = template
  const definition = fillTemplate(template.definition, readableFillings(inputs, answersOf(template)))
  return (
    <li>
      <button type="button" className={classes.template} onClick={onChoose}>
        <Content icon={TRIGGERS[definition.trigger].icon} title={name}>
          <span className={classes.text}>{description}</span>
          <span className={classes.text}>{triggerWords(definition, namesOf(objects))}</span>
        </Content>
      </button>
    </li>
  )
}

function Templates({ onChoose }: { onChoose(template: WorkflowTemplate): void }) {
  const org = useOrg()
  const { data, error, refetch } = useQuery(templatesQuery(org))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <PartPending />
  return (
    <>
      <Link to={workflowPaths.newWorkflow(org)} className={classes.template}>
        <Content icon={FilePlus2} title="Start from scratch">
          <span className={classes.text}>Choose a trigger, then add steps</span>
        </Content>
      </Link>
      <h3 className={classes.heading}>Templates</h3>
      <ul className="stack list gap-8">
        {data.map((template) => (
          <Template key={template.id} template={template} onChoose={() => onChoose(template)} />
        ))}
      </ul>
    </>
  )
}

function Chosen({ id, onBack }: { id: string; onBack(): void }) {
  const { data, error, refetch } = useQuery(templatesQuery(useOrg()))
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <PartPending />
  const template = data.find((one) => one.id === id)
  return template ? <TemplateForm key={id} template={template} onBack={onBack} /> : <Back onBack={onBack} />
}

function Back({ onBack }: { onBack(): void }) {
  return (
    <button type="button" className={classes.template} onClick={onBack}>
      <span className={classes.text}>Template not found. Show all templates.</span>
    </button>
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
