/** The answer to a message without directives. */
export const greeting = `Hello! I am debug/script, a small program for trying CortexFS without a network. I am not an AI: I only do what lines like these ask for.

!call fs.list {"path":"/workspace"}   call a tool, then show its result
!tsh tools                            the same for a tsh command line
!say TEXT                             say something
!sleep MS                             wait
!fail CODE                            fail with an errno name, such as EHOSTDOWN

ctx model add gives you a real one.`;
