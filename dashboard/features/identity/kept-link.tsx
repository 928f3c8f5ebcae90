// Explains where to find the link of a message on an installation that does not send email.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** On a loopback address the user is probably the operator (server/entry/welcome.ts). */
export function KeptLink({ email }: { email: string }) {
  const command = <code className="mono">npx rapport doctor</code>
  if (LOOPBACK.test(location.hostname))
    return (
      <>
        The link is in the terminal where <code className="mono">npm start</code> runs, and {command} shows it
        too.
      </>
    )
  return (
    <>
      Its operator finds the link for {email} with {command}: ask them for it.
    </>
  )
}
