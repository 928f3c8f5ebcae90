// The form of a template: its steps, its inputs, and the name of the new workflow.

import { TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fillTemplate } from '../../../../contract/workflow-templates.ts'
import { fieldErrors, hasCode } from '../../../shared/api/errors.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { freeName } from '../../../shared/free-name.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { BackToGallery } from '../../../ui/gallery-button.tsx'
import { createWorkflow, type WorkflowTemplate, workflowsKey, workflowsQuery } from '../api/workflows.ts'
import { nodeWords } from '../canvas/node-words.ts'
import { StepListView } from '../canvas/step-list.tsx'
import { namesOf } from '../node-names.ts'
import { workflowPaths } from '../paths.ts'
import { InputField } from './input-field.tsx'
import { type Answers, answersOf, fillingsOf, readableFillings } from './template-inputs.ts'

const problemsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'name_taken') ? { name: 'Another workflow has this name' } : fieldErrors(error)

function useCreation(template: WorkflowTemplate) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: workflows } = useSuspenseQuery(workflowsQuery(org))
  return useDataForm({
    draft: `workflow template ${template.id}`,
    initial: () => ({
      name: freeName(
        template.name,
        workflows.map((workflow) => workflow.name),
      ),
      answers: answersOf(template),
    }),
    problemsOf,
    async save({ name, answers }, { forget }) {
      const definition = fillTemplate(template.definition, fillingsOf(template.inputs, answers))
      const { id } = await createWorkflow(org, { name, description: template.description, definition })
      forget()
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
      await navigate({ to: workflowPaths.workflow(org, id), search: { tab: 'definition' } as never })
    },
  })
}

function Steps({ template, answers }: { template: WorkflowTemplate; answers: Answers }) {
  const { data: objects } = useSuspenseQuery(objectsQuery(useOrg()))
  const definition = fillTemplate(template.definition, readableFillings(template.inputs, answers))
  return (
    <div className="bordered rounded" style={{ overflow: 'hidden' }}>
      <StepListView
        label="What it does"
        definition={definition}
        wordsOf={nodeWords(definition, namesOf(objects))}
      />
    </div>
  )
}

function Questions({ template, form }: { template: WorkflowTemplate; form: ReturnType<typeof useCreation> }) {
  const { answers } = form.values
  return (
    <>
      <TextInput label="Name" {...form.field('name')} required data-autofocus autoComplete="off" />
      {template.inputs.map((input) => (
        <InputField
          key={input.key}
          input={input}
          value={answers[input.key] ?? ''}
          onChange={(value) => form.change({ answers: { ...answers, [input.key]: value } })}
        />
      ))}
    </>
  )
}

export function TemplateForm({ template, onBack }: { template: WorkflowTemplate; onBack(): void }) {
  const form = useCreation(template)
  return (
    <Form form={form}>
      <BackToGallery onClick={onBack} />
      <p>{template.description}</p>
      <Questions template={template} form={form} />
      <Steps template={template} answers={form.values.answers} />
      <p className="muted small">It is created switched off: review it, then switch it on.</p>
      <FormEnd
        form={form}
        verb="Create workflow"
        isReady={form.values.name.trim() !== ''}
        cancel="Back"
        onCancel={onBack}
        shown={['name']}
      />
    </Form>
  )
}
