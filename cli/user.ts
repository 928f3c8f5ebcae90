// rapport user: manages the users of the installation.
import { Command } from 'commander'
import { AppError } from '../server/base/errors.ts'
import { verifyEmail } from '../server/identity/verification-store.ts'
import { JSON_OUTPUT, type OutputOptions, print } from './output.ts'
import { withSession } from './session.ts'

interface VerifyOptions extends OutputOptions {
  email: string
}

async function verify(options: VerifyOptions): Promise<void> {
  const { email } = options
  const users = await withSession(({ ctx }) => verifyEmail(ctx.directory, email))
  if (users === 0)
    throw new AppError('not_found', `No user has the email address ${email}: check it for typing errors`)
  print(options, { email, verified: true }, () => [`The email address ${email} is confirmed.`])
}

const VERIFY_EXAMPLES = `
For installations that send no mail, and people whose message did not arrive.

Examples:
  $ rapport user verify --email ada@example.com`

const verifyCommand = () =>
  new Command('verify')
    .description('Confirm the email address of a user, who may then invite people and create organizations')
    .requiredOption('--email <email>', 'address that the user signs in with')
    .option(...JSON_OUTPUT)
    .addHelpText('after', VERIFY_EXAMPLES)
    .action(verify)

export const userCommand = (): Command =>
  new Command('user')
    .description('Confirm the email addresses of people')
    .addCommand(verifyCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport user verify --email ada@example.com')
