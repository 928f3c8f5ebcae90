// One template: what it does step by step, what it wants to know, and what it will be called.
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fillTemplate } from '../../../../../contract/workflow-templates.ts'
import { hasCode } from '../../../../shared/api/errors.ts'
import { objectsQuery } from '../../../../shared/api/objects.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { freeName } from '../../../../shared/free-name.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { BackToGallery } from '../../../../ui/gallery-button.tsx'
import { createWorkflow, type WorkflowTemplate, workflowsKey, workflowsQuery } from '../../api/workflows.ts'
import { namesOf } from '../../node-names.ts'
import { workflowPaths } from '../../paths.ts'
import { nodeWords } from '../canvas/node-words.ts'
import { StepListView } from '../canvas/step-list.tsx'
import { InputField } from './input-field.tsx'
import { type Answers, answersOf, fillingsOf, readableFillings } from './template-inputs.ts'

function useCreation(template: WorkflowTemplate) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: workflows } = useSuspenseQuery(workflowsQuery(org))
  const draft = useDraft(`workflow template ${template.id}`, () => ({
    name: freeName(
      template.name,
      workflows.map((workflow) => workflow.name),
    ),
    answers: answersOf(template),
  }))
  const { name, answers } = draft.value
  const submission = useSubmit(async () => {
    const definition = fillTemplate(template.definition, fillingsOf(template.inputs, answers))
    const { id } = await createWorkflow(org, { name, description: template.description, definition })
    draft.forget()
    await client.invalidateQueries({ queryKey: workflowsKey(org) })
    await navigate({ to: workflowPaths.workflow(org, id), search: { tab: 'definition' } as never })
  })
  const answer = (key: string, value: string) => draft.change({ answers: { ...answers, [key]: value } })
  return { ...submission, draft, answers, answer, name }
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
  const taken = hasCode(form.error, 'name_taken') ? 'Another workflow has this name' : undefined
  return (
    <>
      <TextInput
        label="Name"
        value={form.name}
        onChange={({ currentTarget }) => form.draft.change({ name: currentTarget.value })}
        error={taken}
        required
        data-autofocus
        autoComplete="off"
      />
      {template.inputs.map((input) => (
        <InputField
          key={input.key}
          input={input}
          value={form.answers[input.key] ?? ''}
          onChange={(value) => form.answer(input.key, value)}
        />
      ))}
      {!taken && <FormError error={form.error} />}
    </>
  )
}

export function TemplateForm({ template, onBack }: { template: WorkflowTemplate; onBack(): void }) {
  const form = useCreation(template)
  return (
    <DraftForm draft={form.draft} onSubmit={() => form.submit(undefined)}>
      <Stack gap="md">
        <BackToGallery onClick={onBack} />
        <p>{template.description}</p>
        <Questions template={template} form={form} />
        <Steps template={template} answers={form.answers} />
        <p className="muted small">It is created switched off: review it, then switch it on.</p>
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" loading={form.isBusy} disabled={form.name.trim() === ''}>
            Create workflow
          </Button>
        </Group>
      </Stack>
    </DraftForm>
  )
}
