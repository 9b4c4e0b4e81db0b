// SPDX-License-Identifier: Apache-2.0
// The host names of AWS services and their signing names.

extension ServiceGuess {
  /// The signing name for each host name without region and domain. The list contains "host", or
  /// "host=name" if they differ. A "*" is one customer label.
  static let signingNames: [String: String] = Dictionary(
    uniqueKeysWithValues: hosts.split { $0.isWhitespace }.map {
      let (host, name) = String($0).split(atFirst: "=")
      return (host, name ?? host)
    })

  /// From Tests/Vectors/service-hosts.txt and, for "*", the services' user guides. Hosts that two
  /// services share, such as maps.geo, are omitted.
  private static var hosts: String {
    """
    a2i-runtime.sagemaker=sagemaker abuse access-analyzer account account-access
    account-access-runtime=account-access acm acm-acme=acm acm-pca aco-automation admin.wickr=wickr
    agent-discovery agent-registry agent-registry-control=agent-registry
    agreement-marketplace=aws-marketplace aidevops aiops airflow airflow-serverless amplify
    amplifybackend amplifyuibuilder analytics-omics=omics aos=es *.aos=es aoss *.aoss=aoss
    api-fulfill.dataexchange=dataexchange api.airflow=airflow api.detective=detective api.ecr=ecr
    api.ecr-public=ecr-public api.iot-tunneling=IoTSecuredTunneling
    api.iotdeviceadvisor=iotdeviceadvisor api.iotmanagedintegrations=iotmanagedintegrations
    api.iotsitewise=iotsitewise api.iottwinmaker=iottwinmaker api.iotwireless=iotwireless
    api.mediatailor=mediatailor api.pricing=pricing api.sagemaker=sagemaker
    api.sustainability=sustainability api.thinclient=thinclient
    api.tunneling.iot=IoTSecuredTunneling apigateway apiportal app-integrations appconfig
    appconfigdata=appconfig appfabric appflow application-autoscaling application-cost-profiler
    application-signals applicationinsights appmesh apprunner appstream2=appstream appsync
    *.appsync-api=appsync *.appsync-realtime-api=appsync aps aps-workspaces=aps
    arc-recovery-control-config=route53-recovery-control-config arc-region-switch
    arc-region-switch-control-plane=arc-region-switch arc-zonal-shift artifact athena auditmanager
    autoscaling autoscaling-plans b2bi backup backup-gateway backup-search batch bcm-dashboards
    bcm-data-exports bcm-pricing-calculator bcm-recommended-actions bedrock bedrock-agent=bedrock
    bedrock-agent-runtime=bedrock bedrock-agentcore bedrock-agentcore-control=bedrock-agentcore
    bedrock-data-automation=bedrock bedrock-data-automation-runtime=bedrock bedrock-runtime=bedrock
    billing billingconductor braket budgets cases cassandra cassandra-streams=cassandra
    catalog-marketplace=aws-marketplace catalog.marketplace=aws-marketplace ce chatbot chime
    cleanrooms cleanrooms-ml cloud9 cloudcontrolapi clouddirectory cloudformation cloudfront
    cloudhsm cloudhsmv2=cloudhsm cloudsearch *.cloudsearch=cloudsearch cloudsearchdomain=cloudsearch
    cloudtrail cloudtrail-data cloudwatch-omni=cloudwatch cn.transcribe=transcribe codeartifact
    codebuild codecatalyst codecommit codeconnections codedeploy codeguru-profiler codeguru-reviewer
    codeguru-security codepipeline codestar-connections codestar-notifications cognito-identity
    cognito-idp cognito-sync comprehend comprehendmedical compute-optimizer config connect
    connect-campaigns contact-lens=connect continuum *.control-kinesis=kinesis
    control-storage-omics=omics controlcatalog
    controlplane.payment-cryptography=payment-cryptography controltower cost-optimization-hub
    cp.aidevops=aidevops cp.geofencing.geo=geo cp.maps.geo=geo cp.metadata.geo=geo cp.places.geo=geo
    cp.routes.geo=geo cp.tracking.geo=geo cur data-ats.iot=iotdata *.data-kinesis=kinesis
    data-lakeformation=lakeformation data-servicediscovery=servicediscovery data-signer=signer
    data.ats.iot=iotdata data.iot=iotdata data.iotevents=ioteventsdata data.iotsitewise=iotsitewise
    data.iottwinmaker=iottwinmaker data.jobs.iot=iot-jobs-data data.mediastore=mediastore
    *.data.mediastore=mediastore data.qapps=qapps databrew dataexchange datapipeline
    dataplane.payment-cryptography=payment-cryptography dataplane.rum=rum datasync
    datatransformation.healthlake=healthlake datazone dax *.ddb=dynamodb deadline
    deployment-marketplace=aws-marketplace detective devicefarm devops-guru directconnect discovery
    discovery-marketplace=aws-marketplace dlm dms docdb-elastic dp.aidevops=aidevops drs ds ds-data
    dsql dynamodb ebs ec2 ec2-instance-connect ecr ecr-public ecs edge.sagemaker=sagemaker
    efs=elasticfilesystem eks eks-auth elasticache elasticbeanstalk elasticfilesystem
    elasticloadbalancing elasticmapreduce elemental-inference email=ses emr-containers
    emr-serverless end-user-messaging entitlement-marketplace=aws-marketplace
    entitlement.marketplace=aws-marketplace entityresolution env.airflow=airflow es *.es=es events
    eventsv2=events evs execute-api *.execute-api=execute-api
    featurestore-runtime.sagemaker=sagemaker finspace finspace-api firehose fis fms forecast
    forecastquery=forecast frauddetector freetier fsx gamelift gameliftstreams
    gateway-runtime.sagemaker=sagemaker *.gateway.bedrock-agentcore=bedrock-agentcore geo geo-maps
    geo-places geo-routes geofencing.geo=geo glacier globalaccelerator glue grafana greengrass
    greengrass-ats.iot=greengrass groundstation guardduty health health-agent healthlake iam
    iam-toolbox=iam identity-chime=chime identitystore imagebuilder importexport=IngestionService
    inferencerouter-runtime.sagemaker=sagemaker ingest.timestream=timestream inspector
    inspector-scan inspector2 interconnect internetmonitor invoicing iot *.iot=iotdata iotevents
    iotfleetwise iotsitewise iotthingsgraph iottwinmaker ivs ivschat ivsrealtime=ivs
    job-runtime.sagemaker=sagemaker *.jobs.iot=iot-jobs-data kafka kafka-api=kafka kafkaconnect
    kendra kendra-ranking kinesis kinesis-queues=kinesis kinesisanalytics kinesisvideo
    *.kinesisvideo=kinesisvideo kms lakeformation lambda *.lambda-url=lambda launchwizard
    license-manager license-manager-linux-subscriptions license-manager-user-subscriptions lightsail
    logs lookoutequipment m2 machinelearning macie2 mail-manager=ses managedblockchain
    managedblockchain-query management.deadline=deadline marketplacecommerceanalytics
    media-pipelines-chime=chime mediaconnect mediaconvert medialive mediapackage mediapackage-vod
    mediapackagev2 mediastore mediatailor medical-imaging meetings-chime=chime memory-db=memorydb
    messaging-chime=chime metadata.geo=geo metering-marketplace=aws-marketplace
    metering.marketplace=aws-marketplace metrics.sagemaker=sagemaker mgh mgn migrationhub-config=mgh
    migrationhub-orchestrator migrationhub-strategy models-v2-lex=lex models.lex=lex
    monitor.iotsitewise=iotsitewise monitoring mpa mq mturk-requester
    mturk-requester-sandbox=mturk-requester *.*.neptune=neptune-db neptune-db
    *.neptune-graph=neptune-graph neptune-graph network-firewall network-security-manager
    networkflowmonitor networkmanager networkmonitor notifications notifications-contacts nova-act
    oam observabilityadmin odb oidc=sso-oauth omics ops.airflow=airflow organizations osis
    *.osis=osis osm outposts panorama participant.connect=execute-api partnercentral-account
    partnercentral-benefits partnercentral-channel partnercentral-marketing
    partnercentral-prm=partnercentral partnercentral-selling payments pca-connector-ad
    pca-connector-scep pcs personalize personalize-events=personalize
    personalize-runtime=personalize pi pinpoint=mobiletargeting pipes polly portal.sso=awsssoportal
    pricingplanmanager profile proton qbusiness query-lakeformation=lakeformation
    query.timestream=timestream queue=sqs quicksight ram rbin rds rds-data redshift redshift-data
    redshift-serverless refactor-spaces rekognition reporting-marketplace=aws-marketplace
    repostspace resiliencehub resource-explorer-2 resource-groups rolesanywhere route53
    route53-recovery-cluster route53-recovery-control-config route53-recovery-readiness
    route53domains route53globalresolver route53profiles route53resolver rtbfabric rum
    runtime-medical-imaging=medical-imaging runtime-v2-lex=lex runtime.health-agent=health-agent
    runtime.lex=lex runtime.sagemaker=sagemaker *.s3-object-lambda=s3-object-lambda s3-object-lambda
    s3-outposts *.*.s3-outposts=s3-outposts s3files s3tables s3vectors sagemaker-geospatial
    savingsplans scheduler scheduling.deadline=deadline schemas scn sdb search-dynamodb=dynamodb
    secretsmanager security-ir securityagent securityhub securitylake serverlessrepo servicecatalog
    servicecatalog-appregistry=servicecatalog servicediscovery servicequotas shield signer signin
    simspaceweaver sms-voice sms-voice.pinpoint=sms-voice snow-device-management snowball sns
    social-messaging sqs ssm ssm-contacts ssm-guiconnect ssm-incidents ssm-quicksetup ssm-sap sso
    states storage-omics=omics storagegateway stream-logs=logs streaming.health-agent=health-agent
    streams-dynamodb=dynamodb streams.dynamodb=dynamodb sts subscribe.mediaconvert=mediaconvert
    support supportapp supportauthz sustainability swf sync-states=states synthetics tagging
    tags-omics=omics tax textract thinclient timestream-influxdb timestream-ingest=timestream
    timestream-query=timestream tnb tracking.geo=geo training-session-runtime.sagemaker=sagemaker
    transcribe transcribestreaming=transcribe transfer translate trustedadvisor uxc
    verification.signer=signer verifiedpermissions voice-chime=chime voiceid vpc-lattice
    *.vpc-lattice-svcs=vpc-lattice-svcs *.*.vpc-lattice-svcs=vpc-lattice-svcs waf waf-regional wafv2
    wellarchitected wellarchitected-agent=wellarchitected wisdom workdocs workflows-omics=omics
    workmail workmailmessageflow workspaces workspaces-instances workspaces-web xray
    """
  }
}
